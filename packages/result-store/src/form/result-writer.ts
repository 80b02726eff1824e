import { createHash } from 'node:crypto';
import { type ChunkCipher, type ChunkKind, TAG_BYTES } from './chunk-cipher.ts';
import { type Codec, codecMark, compress, PREFERRED_CODEC } from './codec.ts';
import {
  CHUNK_BYTES,
  END_NUMBER,
  LENGTH_BYTES,
  type ResultEnd,
  type ResultHeader,
  ROW_BYTES_MAX,
} from './stored-form.ts';

/** A result that cannot be kept, because of its own content. */
export class ResultNotKeptError extends Error {
  override readonly name = 'ResultNotKeptError';
}

/** Chunks that are compressed or sealed while the next one is filled. */
const CHUNKS_IN_WORK_MAX = 2;
/** Room for the rows that end a chunk. */
const BUFFER_BYTES = CHUNK_BYTES + CHUNK_BYTES / 2;

const [COMMA, OPEN, CLOSE] = [0x2c, 0x5b, 0x5d];

export interface ResultWriterOptions {
  readonly cipher: ChunkCipher;
  readonly header: ResultHeader;
  readonly codec?: Codec;
  /** Receives the bytes of the stored form, in order. */
  readonly emit: (bytes: Uint8Array) => void;
}

/**
 * Writes the stored form of one result. Rows are copied, compressed on other threads, and sealed. Memory is constant: three buffers of a
 * chunk, unless a row is larger.
 */
export class ResultWriter {
  readonly #options: ResultWriterOptions;
  readonly #codec: Codec;
  readonly #hash = createHash('sha256');
  readonly #chunks: (readonly [rows: number, recordBytes: number])[] = [];
  readonly #spare: Buffer[] = [];
  /** The list of rows that is filled. */
  #buffer = newBuffer(BUFFER_BYTES);
  #used = 1;
  #rowStart = 1;
  #rowsInChunk = 0;
  #rows = 0;
  #rowBytes = 0;
  #headerBytes = 0;
  /** Settle when the chunks are emitted that are not known to be. */
  readonly #inWork: Promise<void>[] = [];
  /** Settles when all chunks so far are emitted. */
  #emitted: Promise<void>;

  constructor(options: ResultWriterOptions) {
    this.#options = options;
    this.#codec = options.codec ?? PREFERRED_CODEC;
    this.#emitted = this.#emitJson(0, 'header', options.header).then((bytes) => {
      this.#headerBytes = bytes;
    });
    this.#emitted.catch(() => undefined); // thrown by the next call that waits
  }

  /** Rows that were added completely. */
  get rows(): number {
    return this.#rows;
  }

  /**
   * Copies rows: lists of values joined by commas, with or without a comma before the first. White space after a comma is part of the next
   * row. `rows` is the number of rows that end in these
   * bytes; 0: they are the start or middle of a large row. Returns a promise to wait for before the next call if there is no room now. Throws
   * ResultNotKeptError for a row that is too large.
   */
  add(rows: number, bytes: Uint8Array): Promise<void> | undefined {
    const isAtRowStart = this.#used === this.#rowStart;
    const from = isAtRowStart && bytes[0] === COMMA ? 1 : 0;
    const length = bytes.byteLength - from;
    if (this.#used - this.#rowStart + length > ROW_BYTES_MAX)
      throw new ResultNotKeptError(`A row is larger than ${ROW_BYTES_MAX / 1024 / 1024} MiB.`);
    if (isAtRowStart && this.#rowsInChunk > 0) this.#write(COMMA_BYTES, 0);
    this.#write(bytes, from);
    if (rows === 0) return undefined;
    this.#rowStart = this.#used;
    this.#rowsInChunk += rows;
    this.#rows += rows;
    return this.#used < CHUNK_BYTES ? undefined : this.#endChunk();
  }

  /** Writes the end after the last row. */
  async end(limited: boolean): Promise<ResultEnd> {
    if (this.#used !== this.#rowStart) throw new Error('The last row of a kept result is incomplete.');
    if (this.#rowsInChunk > 0) void this.#endChunk();
    await this.#emitted;
    const end: ResultEnd = {
      header: this.#options.header,
      rows: this.#rows,
      limited,
      sha256: this.#hash.digest('hex'),
      rowBytes: this.#rowBytes,
      headerBytes: this.#headerBytes,
      chunks: this.#chunks,
    };
    const recordBytes = await this.#emitJson(END_NUMBER, 'end', end);
    this.#options.emit(lengthOf(recordBytes));
    return end;
  }

  #write(bytes: Uint8Array, from: number): void {
    const needed = this.#used + bytes.byteLength - from;
    if (needed + 1 > this.#buffer.byteLength) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed + 1, this.#buffer.byteLength * 2));
      larger.set(this.#buffer.subarray(0, this.#used));
      this.#buffer = larger;
    }
    this.#buffer.set(from === 0 ? bytes : bytes.subarray(from), this.#used);
    this.#used = needed;
  }

  /** Hands the rows of the buffer over, and returns a promise if no buffer is free for the next ones. */
  #endChunk(): Promise<void> | undefined {
    const buffer = this.#buffer;
    buffer[this.#used] = CLOSE;
    const content = buffer.subarray(0, this.#used + 1);
    const rows = this.#rowsInChunk;
    if (this.#chunks.length > 0) this.#hash.update(COMMA_BYTES);
    this.#hash.update(content.subarray(1, -1));
    this.#rowBytes += content.byteLength - 2 + (this.#chunks.length > 0 ? 1 : 0);
    const number = this.#chunks.length + 1;
    this.#chunks.push([rows, 0]); // its length is known when it is compressed
    const compressed = compress(this.#codec, content);
    compressed.catch(() => undefined); // thrown below, after the chunks before it
    this.#emitted = this.#emitted
      .then(() => compressed)
      .then((bytes) => {
        this.#chunks[number - 1] = [rows, this.#emitSealed(number, 'rows', bytes)];
        if (buffer.byteLength === BUFFER_BYTES) this.#spare.push(buffer);
      });
    this.#emitted.catch(() => undefined);
    this.#inWork.push(this.#emitted);
    this.#buffer = this.#spare.pop() ?? newBuffer(BUFFER_BYTES);
    this.#used = 1;
    this.#rowStart = 1;
    this.#rowsInChunk = 0;
    return this.#inWork.length > CHUNKS_IN_WORK_MAX ? this.#inWork.shift() : undefined;
  }

  async #emitJson(number: number, kind: ChunkKind, value: object): Promise<number> {
    return this.#emitSealed(number, kind, await compress(this.#codec, Buffer.from(JSON.stringify(value))));
  }

  /** Returns the length of the record. */
  #emitSealed(number: number, kind: ChunkKind, compressed: Uint8Array): number {
    const { cipher, emit } = this.#options;
    const mark = codecMark(this.#codec);
    const sealedBytes = mark.byteLength + compressed.byteLength + TAG_BYTES;
    const record = Buffer.allocUnsafeSlow(LENGTH_BYTES + sealedBytes);
    let at = record.writeUInt32LE(sealedBytes, 0);
    for (const piece of cipher.seal(number, kind, [mark, compressed])) at += piece.copy(record, at);
    emit(record);
    return record.byteLength;
  }
}

const COMMA_BYTES = Buffer.from(',');

/** Returns a buffer that begins a list. */
function newBuffer(bytes: number): Buffer {
  const buffer = Buffer.allocUnsafeSlow(bytes);
  buffer[0] = OPEN;
  return buffer;
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(bytes, 0);
  return length;
}
