import type { DuckDBDataChunk } from '@duckdb/node-api';
import { nullsOf, rawVector } from './raw-chunk.ts';
import { StringVector } from './string-vector.ts';

/** Rows of a chunk as bytes: its first column is VARCHAR without NULL, its other columns are long strings. Valid as long as the chunk. */
export class RowBytes {
  readonly rows: number;
  readonly #chunk: DuckDBDataChunk;
  readonly #strings: StringVector;
  readonly #furtherColumns = new Map<number, StringVector>();

  constructor(chunk: DuckDBDataChunk) {
    this.#chunk = chunk;
    this.rows = chunk.rowCount;
    this.#strings = new StringVector(rawVector(chunk, 0), this.rows);
  }

  /** Bytes of the row at this index. */
  byteLength(row: number): number {
    return this.#strings.byteLength(row);
  }

  /** Returns the bytes of one row in place: a view of the engine's memory, without a copy. */
  view(row: number): Uint8Array {
    return this.#strings.view(row);
  }

  /** Returns the bytes of one row in copies of at most `bytesMax` bytes: the view of a large row would be a copy of all of it. */
  pieces(row: number, bytesMax: number): Iterable<Uint8Array> {
    return this.#strings.pieces(row, bytesMax);
  }

  /** Returns the bytes of the string in a further column in the same way. It must not be NULL. */
  piecesOfColumn(column: number, row: number, bytesMax: number): Iterable<Uint8Array> {
    const strings = this.#furtherColumns.get(column) ?? new StringVector(rawVector(this.#chunk, column), this.rows);
    this.#furtherColumns.set(column, strings);
    return strings.pieces(row, bytesMax);
  }

  /** Bytes of all rows, and of the strings in further columns. */
  get bytes(): number {
    let bytes = 0;
    for (let column = 0; column < this.#chunk.columnCount; column += 1) bytes += this.#bytesOf(column);
    return bytes;
  }

  #bytesOf(column: number): number {
    const vector = rawVector(this.#chunk, column);
    const isNull = nullsOf(vector, this.rows);
    const strings = column === 0 ? this.#strings : new StringVector(vector, this.rows);
    let bytes = 0;
    for (let row = 0; row < this.rows; row += 1) if (isNull?.(row) !== true) bytes += strings.byteLength(row);
    return bytes;
  }

  /** Returns how many of the rows from `from` to `end` fit into `bytesMax` together; 0 if the first alone is larger. */
  rowsWithin(from: number, bytesMax: number, end: number): { readonly rows: number; readonly bytes: number } {
    let bytes = 0;
    let row = from;
    for (; row < end; row += 1) {
      const length = this.byteLength(row);
      if (bytes + length > bytesMax) break;
      bytes += length;
    }
    return { rows: row - from, bytes };
  }

  /** Copies rows into `target`, back to back. */
  copy(from: number, rows: number, target: Uint8Array): void {
    const end = from + rows;
    let at = 0;
    for (let row = from; row < end; ) {
      const run = this.#strings.copyRun(row, end, { bytes: target, at });
      at += run.bytes;
      row = run.end;
    }
  }
}
