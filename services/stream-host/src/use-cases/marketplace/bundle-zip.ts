import { createHash } from 'node:crypto';
import { type Column, presentParameters } from '@sluice/contract';
import {
  createFormat,
  entryNames,
  type Format,
  type FormatSpec,
  textSource,
  type ZipCompression,
  ZipWriter,
} from '@sluice/encoders';
import { type Bundle, type BundledStatement, createBundle, type OpenResult } from './bundle.ts';

const MANIFEST = 'manifest.json';

interface ZipOptions {
  /** Format of each member. */
  readonly format: FormatSpec;
  /** Extension of each member, without the dot. */
  readonly extension: string;
  readonly compression: ZipCompression;
  /** Fields of the manifest besides its members. */
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** Entry of the manifest for one member, with the digest of the uncompressed member. */
interface ManifestFile {
  readonly name: string;
  readonly file: string;
  readonly about: string;
  /** Values of the parameters of its statement, as a request takes them. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly columns: readonly Column[];
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** Creates a ZIP archive with one file per statement, followed by a manifest to verify each of them. */
export function bundleZip(statements: readonly BundledStatement[], options: ZipOptions): Bundle {
  const writer = new ZipWriter(new Date());
  const format = createFormat(options.format);
  const names = entryNames(
    statements.map(({ name }) => name),
    options.extension,
    [MANIFEST],
  );
  async function* pack(results: AsyncIterable<OpenResult>, queryId: string): AsyncGenerator<Uint8Array> {
    const files: ManifestFile[] = [];
    for await (const result of results) {
      const file = names[files.length] ?? '';
      const member = new Member(result, format);
      yield* writer.entry(file, member.bytes(), options.compression);
      const { name, about, columns } = result;
      const parameters = presentParameters(result.parameters ?? []);
      files.push({ name, file, about, parameters, columns, ...member.totals() });
    }
    const manifest = { ...options.manifest, query_id: queryId, files };
    yield* writer.entry(MANIFEST, textSource(`${JSON.stringify(manifest, undefined, 2)}\n`));
  }
  return createBundle({
    statements,
    file: { mediaType: 'application/zip', extension: 'zip' },
    check: () => undefined,
    pack,
    end: () => writer.end(),
  });
}

/** One file of the archive, counted as it is written. */
class Member {
  readonly #result: OpenResult;
  readonly #format: Format;
  readonly #hash = createHash('sha256');
  #rows = 0;
  #bytes = 0;

  constructor(result: OpenResult, format: Format) {
    this.#result = result;
    this.#format = format;
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    yield this.#count(this.#format.head(this.#result.columns));
    for await (const chunk of this.#result.rows) {
      this.#rows += chunk.rows;
      yield this.#count(chunk.bytes);
      chunk.release?.(); // the archive has a copy
    }
    yield this.#count(this.#format.complete({ queryId: '', rows: this.#rows, limited: false, elapsedMs: 0 }));
  }

  #count(chunk: string | Uint8Array): Uint8Array {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    this.#hash.update(bytes);
    this.#bytes += bytes.byteLength;
    return bytes;
  }

  /** Call it once, after all bytes were read. */
  totals(): { readonly rows: number; readonly bytes: number; readonly sha256: string } {
    return { rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}
