import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { splitLines } from '../export-lines.ts';
import type { MemberDigest } from './manifest.ts';

/** Members that are read whole are shorter. */
const SMALL_BYTES_MAX = 16 * 1024 * 1024;
/** A package has seven members. */
const MEMBERS_MAX = 100;

/** The file is not a ZIP that this release writes. The message is one sentence. */
export class EvidenceFileError extends Error {}

/** Reads the members of an evidence package in any order, with constant memory. */
export class EvidenceFile implements AsyncDisposable {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** Opens a package. Throws EvidenceFileError if it is cut, and the error of the file system if the file cannot be read. */
  static async open(path: string): Promise<EvidenceFile> {
    try {
      const zip = await openPromise(path, { autoClose: false, lazyEntries: true });
      return new EvidenceFile(zip, await entriesOf(zip));
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== undefined || thrown instanceof EvidenceFileError) throw thrown;
      throw new EvidenceFileError('It is cut, or it is not a ZIP file.');
    }
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Yields the bytes of a member. Throws EvidenceFileError if there is none of this name, or its bytes cannot be decompressed. */
  async *chunks(name: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new EvidenceFileError(`It has no member ${name}.`);
    let source: Readable | undefined;
    try {
      source = await this.#zip.openReadStreamPromise(entry);
      for await (const chunk of source) yield chunk as Buffer;
    } catch {
      throw new EvidenceFileError(`The bytes of ${name} cannot be read.`);
    } finally {
      source?.destroy();
    }
  }

  /** Returns the bytes of a short member. Throws EvidenceFileError. */
  async bytes(name: string): Promise<Buffer> {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const chunk of this.chunks(name)) {
      size += chunk.byteLength;
      if (size > SMALL_BYTES_MAX) throw new EvidenceFileError(`${name} is too long.`);
      parts.push(chunk);
    }
    return Buffer.concat(parts);
  }

  /** Yields the lines of a member without line ends. Throws ExportTextError. */
  lines(name: string): AsyncGenerator<string> {
    return splitLines(this.chunks(name));
  }

  /** Computes the digest of a member. */
  async digest(name: string): Promise<MemberDigest> {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of this.chunks(name)) {
      hash.update(chunk);
      bytes += chunk.byteLength;
    }
    return { name, bytes, sha256: hash.digest('hex') };
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#zip.close();
    return Promise.resolve();
  }
}

async function entriesOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (entries.has(entry.fileName)) throw new EvidenceFileError(`It has two members ${entry.fileName}.`);
    if (entries.size === MEMBERS_MAX) throw new EvidenceFileError('It has too many members.');
    entries.set(entry.fileName, entry);
  }
  return entries;
}
