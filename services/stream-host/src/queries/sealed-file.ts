import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { openNameless } from '@sluice/encoders';
import { ChunkCipher, DamagedResultError, newResultKey, type ResultIdentity } from '@sluice/result-store/form';

/** A range is read from whole chunks, so a small range costs one. */
const CHUNK_BYTES = 256 * 1024;
const TAG_BYTES = 16;
const RECORD_BYTES = CHUNK_BYTES + TAG_BYTES;

/**
 * A file on the disk of which any part can be read. It has no name, so it disappears with the process, however it ends. It is sealed in chunks
 * under a key that only this object has. The creator disposes of it.
 */
export class SealedFile implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #cipher: ChunkCipher;
  readonly #hash = createHash('sha256');
  /** The chunk that is filled; none after the end. */
  #chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  #filled = 0;
  #sealedChunks = 0;

  private constructor(file: FileHandle, cipher: ChunkCipher) {
    this.#file = file;
    this.#cipher = cipher;
  }

  /** `openFile` is another one only in tests. Throws errors of the file system, as all methods do. */
  static async create(
    identity: ResultIdentity,
    openFile: () => Promise<FileHandle> = openNameless,
  ): Promise<SealedFile> {
    return new SealedFile(await openFile(), new ChunkCipher(newResultKey(), identity));
  }

  get bytes(): number {
    return this.#sealedChunks * CHUNK_BYTES + this.#filled;
  }

  /** Copies bytes to the end of the file. Await it before the next call. */
  async append(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    for (let from = 0; from < bytes.byteLength; ) {
      const part = bytes.subarray(from, from + CHUNK_BYTES - this.#filled);
      this.#chunk.set(part, this.#filled);
      this.#filled += part.byteLength;
      from += part.byteLength;
      if (this.#filled < CHUNK_BYTES) continue;
      await this.#write(this.#sealedChunks, this.#chunk);
      this.#sealedChunks += 1;
      this.#filled = 0;
    }
  }

  /** Writes the last bytes, and returns the SHA-256 of the file. Only then it can be read. */
  async end(): Promise<Buffer> {
    if (this.#filled > 0) await this.#write(this.#sealedChunks, this.#chunk.subarray(0, this.#filled));
    this.#chunk = Buffer.alloc(0);
    return this.#hash.digest();
  }

  /** Yields the bytes from `start` to `end`, exclusive. Throws DamagedResultError before the first byte that is not as it was written. */
  async *read(start: number, end: number): AsyncGenerator<Uint8Array, void> {
    for (let number = Math.floor(start / CHUNK_BYTES); number * CHUNK_BYTES < end; number += 1) {
      const first = number * CHUNK_BYTES;
      const sealed = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, this.bytes - first) + TAG_BYTES);
      await this.#fill(sealed, number * RECORD_BYTES);
      const content = this.#cipher.open(number, 'rows', sealed);
      yield content.subarray(Math.max(0, start - first), Math.min(content.byteLength, end - first));
    }
  }

  async #write(number: number, content: Uint8Array): Promise<void> {
    const record = Buffer.concat(this.#cipher.seal(number, 'rows', [content]));
    // A write to a disk that is almost full takes a part of the bytes and reports no error.
    for (let from = 0; from < record.byteLength; ) {
      const { bytesWritten } = await this.#file.write(
        record,
        from,
        record.byteLength - from,
        number * RECORD_BYTES + from,
      );
      from += bytesWritten;
    }
  }

  async #fill(target: Buffer, position: number): Promise<void> {
    for (let filled = 0; filled < target.byteLength; ) {
      const { bytesRead } = await this.#file.read(target, filled, target.byteLength - filled, position + filled);
      if (bytesRead === 0) throw new DamagedResultError('A file of a kept result is shorter than when it was written.');
      filled += bytesRead;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}
