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
    return length <= INLINE_BYTES_MAX ? this.#inlineBytes(row, length) : this.#behindPointer(row, length);
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

  #inlineBytes(row: number, length: number): Uint8Array {
    const at = row * STRING_BYTES + STRING_BYTES - INLINE_BYTES_MAX;
    return this.#data.subarray(at, at + length);
  }

  #behindPointer(row: number, bytes: number): Uint8Array {
    const memory = this.#data.buffer as ArrayBuffer;
    return duckdb.get_data_from_pointer(memory, this.#data.byteOffset + row * STRING_BYTES + POINTER_OFFSET, bytes);
  }

  /** A double is exact up to 2^53, and user-space addresses have 47 bits unless a program requests more. */
  #address(row: number): number {
    const at = row * STRING_WORDS + 2;
    return (this.#words[at + 1] ?? 0) * HIGH_WORD + (this.#words[at] ?? 0);
  }
}
