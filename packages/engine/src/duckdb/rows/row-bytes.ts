import type { DuckDBDataChunk } from '@duckdb/node-api';
import { rawVector } from './raw-chunk.ts';
import { StringVector } from './string-vector.ts';

/** Rows of a chunk whose only column is VARCHAR without NULLs, read as bytes. Valid as long as the chunk is. */
export class RowBytes {
  readonly rows: number;
  readonly #strings: StringVector;

  constructor(chunk: DuckDBDataChunk) {
    this.rows = chunk.rowCount;
    this.#strings = new StringVector(rawVector(chunk, 0), this.rows);
  }

  /** Bytes of the row at this index. */
  byteLength(row: number): number {
    return this.#strings.byteLength(row);
  }

  /** The bytes of one row, in place: a view of the engine's memory, without a copy. */
  view(row: number): Uint8Array {
    return this.#strings.view(row);
  }

  /** How many of the rows from `from` to `end` fit into `bytesMax` together; 0 when the first alone is larger. */
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
