import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProblemError } from '@sluice/contract';

const READ_BYTES = 256 * 1024;

/**
 * Bytes that can only be sent later, on disk. The file is made by the first of them and has no name any more then, so that it goes
 * with the process, however that ends. Whoever made it disposes of it.
 */
export class Spool implements AsyncDisposable {
  readonly #bytesMax: number;
  #file: FileHandle | undefined;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** Throws `resource_limit` when it would hold too much. */
  async write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    if (this.#bytes + bytes.length > this.#bytesMax) {
      throw new ProblemError(
        'resource_limit',
        `The texts that are too long for a cell come to more than ${this.#bytesMax} bytes. Take CSV or JSON instead.`,
      );
    }
    this.#file ??= await openNameless();
    await this.#file.write(bytes, 0, bytes.length, this.#bytes);
    this.#bytes += bytes.length;
  }

  async *read(): AsyncGenerator<Uint8Array> {
    for (let from = 0; from < this.#bytes; ) {
      const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, this.#bytes - from));
      const read = await this.#file?.read(buffer, 0, buffer.length, from);
      if (read === undefined || read.bytesRead === 0) throw new Error('the spool is shorter than what was written');
      from += read.bytesRead;
      yield buffer.subarray(0, read.bytesRead);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }
}

async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-overflow-'));
  try {
    return await open(join(folder, 'spool'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
