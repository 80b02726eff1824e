import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProblemError } from '@sluice/contract/problems';

const READ_BYTES = 256 * 1024;

/**
 * Bytes that can only be sent later, on disk. The first write creates the file and removes its name, so that the file disappears
 * with the process, however it ends. The creator disposes of it.
 */
export class Spool implements AsyncDisposable {
  readonly #bytesMax: number;
  readonly #openFile: () => Promise<FileHandle>;
  #file: FileHandle | undefined;
  #bytes = 0;

  /** `openFile` is another one only in tests. */
  constructor(bytesMax: number, openFile: () => Promise<FileHandle> = openNameless) {
    this.#bytesMax = bytesMax;
    this.#openFile = openFile;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** Throws `resource_limit` if it would exceed its limit. */
  async write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    if (this.#bytes + bytes.length > this.#bytesMax) {
      throw new ProblemError(
        'resource_limit',
        `The strings that are too long for a cell exceed ${this.#bytesMax} bytes in total. Download CSV, NDJSON or JSON instead.`,
      );
    }
    this.#file ??= await this.#openFile();
    // A write to a disk that is almost full takes a part of the bytes and reports no error.
    for (let from = 0; from < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, from, bytes.length - from, this.#bytes);
      from += bytesWritten;
      this.#bytes += bytesWritten;
    }
  }

  async *read(): AsyncGenerator<Uint8Array> {
    for (let from = 0; from < this.#bytes; ) {
      const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, this.#bytes - from));
      const read = await this.#file?.read(buffer, 0, buffer.length, from);
      if (read === undefined || read.bytesRead === 0)
        throw new Error('the spool is shorter than the bytes that were written');
      from += read.bytesRead;
      yield buffer.subarray(0, read.bytesRead);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }
}

/** Opens a file without a name for reading and writing. */
export async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-overflow-'));
  try {
    return await open(join(folder, 'spool'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
