import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { EvidenceFileError, type EvidenceSource } from './evidence-source.ts';

/** A package has seven members. */
const MEMBERS_MAX = 100;

/** Reads the members of an evidence package in any order, with constant memory. */
export class EvidenceFile implements EvidenceSource, AsyncDisposable {
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

  async *chunks(name: string): AsyncGenerator<Uint8Array> {
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
