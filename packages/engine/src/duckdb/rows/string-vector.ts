// The C API's own view of a vector; node-api's objects would create a JavaScript string for every row.
import duckdb from '@duckdb/node-bindings';

/**
 * A string in a vector (duckdb_string_t) is four 32-bit words, little endian: its length, then 12 bytes inline, or 4 bytes of
 * prefix and a pointer in the last two words.
 */
const STRING_WORDS = 4;
const STRING_BYTES = 16;
const INLINE_BYTES_MAX = 12;
const POINTER_OFFSET = 8;
const HIGH_WORD = 2 ** 32;

/** The strings of a VARCHAR vector as bytes. Valid as long as its chunk; must not be read for rows that are NULL. */
export class StringVector {
  readonly #data: Uint8Array;
  readonly #words: Uint32Array;

  constructor(vector: duckdb.Vector, rows: number) {
    this.#data = duckdb.vector_get_data(vector, rows * STRING_BYTES);
    this.#words = new Uint32Array(this.#data.buffer, this.#data.byteOffset, rows * STRING_WORDS);
  }

  byteLength(row: number): number {
    return this.#words[row * STRING_WORDS] ?? 0;
  }

  /** Returns the bytes of one row in place: a view of the engine's memory, without a copy. */
  view(row: number): Uint8Array {
    const length = this.byteLength(row);
    return this.isInline(row) ? this.#inlineBytes(row, length) : this.#behindPointer(row, length);
  }

  /** Returns the bytes of one row in copies of at most `bytesMax` bytes. */
  *pieces(row: number, bytesMax: number): Generator<Uint8Array> {
    const length = this.byteLength(row);
    if (length <= Math.min(bytesMax, INLINE_BYTES_MAX)) {
      yield this.view(row);
      return;
    }
    const address = new BigUint64Array(1);
    for (let from = 0; from < length; from += bytesMax) {
      address[0] = BigInt(this.#address(row) + from);
      yield duckdb.get_data_from_pointer(address.buffer, 0, Math.min(bytesMax, length - from));
    }
  }

  isInline(row: number): boolean {
    return this.byteLength(row) <= INLINE_BYTES_MAX;
  }

  /**
   * Copies rows from `start` on to `target`: those that are contiguous in the engine's memory and end before `end`. DuckDB writes
   * the strings of a chunk one after the other into few blocks, so a chunk of 2,048 needs 4 to 10 copies (measured).
   */
  copyRun(start: number, end: number, target: { readonly bytes: Uint8Array; readonly at: number }): StringRun {
    const length = this.byteLength(start);
    if (this.isInline(start)) {
      target.bytes.set(this.#inlineBytes(start, length), target.at);
      return { end: start + 1, bytes: length };
    }
    const run = this.#run(start, end);
    target.bytes.set(this.#behindPointer(start, run.bytes), target.at);
    return run;
  }

  #inlineBytes(row: number, length: number): Uint8Array {
    const at = row * STRING_BYTES + STRING_BYTES - INLINE_BYTES_MAX;
    return this.#data.subarray(at, at + length);
  }

  #behindPointer(row: number, bytes: number): Uint8Array {
    const memory = this.#data.buffer as ArrayBuffer;
    return duckdb.get_data_from_pointer(memory, this.#data.byteOffset + row * STRING_BYTES + POINTER_OFFSET, bytes);
  }

  #run(start: number, limit: number): StringRun {
    const first = this.#address(start);
    let bytes = this.byteLength(start);
    let row = start + 1;
    for (; row < limit; row += 1) {
      const length = this.byteLength(row);
      if (length <= INLINE_BYTES_MAX || this.#address(row) !== first + bytes) break;
      bytes += length;
    }
    return { end: row, bytes };
  }

  /** A double is exact up to 2^53, and user-space addresses have 47 bits unless a program requests more. */
  #address(row: number): number {
    const at = row * STRING_WORDS + 2;
    return (this.#words[at + 1] ?? 0) * HIGH_WORD + (this.#words[at] ?? 0);
  }
}

interface StringRun {
  /** The first row that is not copied. */
  readonly end: number;
  readonly bytes: number;
}
