import type { ChunkCipher, ChunkKind } from './chunk-cipher.ts';
import { decompress } from './codec.ts';
import { DamagedResultError } from './damaged-result.ts';
import { CHUNK_BYTES_MAX, END_NUMBER, LENGTH_BYTES, type ResultEnd, type ResultHeader } from './stored-form.ts';

/** The bytes of a stored result. */
export interface ResultBytes {
  /** Their number. */
  readonly length: number;
  /** Returns the bytes from `start` to `end`, exclusive, or fewer if there are fewer. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** Rows of one chunk: a list of rows in JSON. */
export interface ResultChunk {
  readonly firstRow: number;
  readonly rows: number;
  readonly list: Buffer;
}

/** The end of most results is within their last bytes, so that one read opens them. */
const TAIL_BYTES = 64 * 1024;
/** Chunks that follow each other are read together. */
const READ_BYTES_MAX = 4 * 1024 * 1024;
/** An end lists all chunks, with at most this many bytes in JSON. */
const END_BYTES_MAX = 64 * 1024 * 1024;

interface Place {
  readonly number: number;
  readonly firstRow: number;
  readonly rows: number;
  readonly start: number;
  readonly end: number;
}

/** A complete kept result. Everything that it returns is authenticated. */
export class ResultReader {
  readonly #bytes: ResultBytes;
  readonly #cipher: ChunkCipher;
  readonly #end: ResultEnd;
  readonly #places: readonly Place[];

  private constructor(bytes: ResultBytes, cipher: ChunkCipher, end: ResultEnd) {
    this.#bytes = bytes;
    this.#cipher = cipher;
    this.#end = end;
    this.#places = placesOf(end);
  }

  /** Reads the end of a result. Throws DamagedResultError if it is not complete and unchanged. */
  static async open(bytes: ResultBytes, cipher: ChunkCipher): Promise<ResultReader> {
    const tailStart = Math.max(0, bytes.length - TAIL_BYTES);
    const tail = Buffer.from(await bytes.read(tailStart, bytes.length));
    if (tail.byteLength !== bytes.length - tailStart || tail.byteLength < LENGTH_BYTES)
      throw new DamagedResultError('A kept result is shorter than when it was written.');
    const recordEnd = bytes.length - LENGTH_BYTES;
    const recordStart = recordEnd - tail.readUInt32LE(tail.byteLength - LENGTH_BYTES);
    if (recordStart < 0) throw new DamagedResultError('The end of a kept result is missing.');
    const record =
      recordStart < tailStart
        ? await bytes.read(recordStart, recordEnd)
        : tail.subarray(recordStart - tailStart, -LENGTH_BYTES);
    const end = await openEnd(cipher, Buffer.from(record));
    const reader = new ResultReader(bytes, cipher, end);
    const chunksEnd = reader.#places.at(-1)?.end ?? end.headerBytes;
    if (chunksEnd !== recordStart) throw new DamagedResultError('Chunks of a kept result are missing.');
    return reader;
  }

  get header(): ResultHeader {
    return this.#end.header;
  }

  get end(): Omit<ResultEnd, 'header' | 'chunks'> {
    return this.#end;
  }

  /** Yields the chunks with the rows from `from` to `to`, exclusive; by default all. The next chunks are read meanwhile. */
  async *chunks({ from = 0, to = Number.POSITIVE_INFINITY } = {}): AsyncGenerator<ResultChunk, void> {
    const groups = groupsOf(this.#places.slice(this.#indexOf(from)).filter(({ firstRow }) => firstRow < to));
    let next = this.#read(groups[0]);
    try {
      for (const [index, places] of groups.entries()) {
        const bytes = await next;
        next = this.#read(groups[index + 1]);
        const start = places[0]?.start ?? 0;
        for (const place of places) {
          const record = bytes.subarray(place.start - start, place.end - start);
          const list = await decompress(openRecord(this.#cipher, record, place.number, 'rows'), CHUNK_BYTES_MAX);
          yield { firstRow: place.firstRow, rows: place.rows, list };
        }
      }
    } finally {
      next.catch(() => undefined);
    }
  }

  async #read(places: readonly Place[] | undefined): Promise<Buffer> {
    const [start, end] = [places?.[0]?.start ?? 0, places?.at(-1)?.end ?? 0];
    if (start === end) return Buffer.alloc(0);
    const bytes = await this.#bytes.read(start, end);
    if (bytes.byteLength !== end - start) throw new DamagedResultError('A kept result ends early.');
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Returns the index of the chunk with a row, or the number of chunks for a row beyond the end. */
  #indexOf(row: number): number {
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const place = this.#places[middle] as Place;
      if (place.firstRow + place.rows > row) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

async function openEnd(cipher: ChunkCipher, record: Buffer): Promise<ResultEnd> {
  const json = await decompress(openRecord(cipher, record, END_NUMBER, 'end'), END_BYTES_MAX);
  return JSON.parse(json.toString('utf8')) as ResultEnd;
}

function openRecord(cipher: ChunkCipher, record: Buffer, number: number, kind: ChunkKind): Buffer {
  if (record.byteLength < LENGTH_BYTES || record.readUInt32LE(0) !== record.byteLength - LENGTH_BYTES)
    throw new DamagedResultError(`Chunk ${number} of a kept result has the wrong length.`);
  return cipher.open(number, kind, record.subarray(LENGTH_BYTES));
}

function placesOf({ headerBytes, chunks }: ResultEnd): readonly Place[] {
  let [start, firstRow] = [headerBytes, 0];
  return chunks.map(([rows, recordBytes], index) => {
    const place = { number: index + 1, firstRow, rows, start, end: start + recordBytes };
    start += recordBytes;
    firstRow += rows;
    return place;
  });
}

function groupsOf(places: readonly Place[]): readonly (readonly Place[])[] {
  const groups: Place[][] = [];
  for (const place of places) {
    const last = groups.at(-1);
    if (last !== undefined && place.end - (last[0]?.start ?? 0) <= READ_BYTES_MAX) last.push(place);
    else groups.push([place]);
  }
  return groups;
}
