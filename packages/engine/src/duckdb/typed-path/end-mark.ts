import type { DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { rawVector } from '../rows/raw-chunk.ts';

/** Returns whether the last row of a chunk is the end mark: true in a BOOLEAN column (one byte per value). */
export function hasEndMark(chunk: DuckDBDataChunk, column: number): boolean {
  return duckdb.vector_get_data(rawVector(chunk, column), chunk.rowCount)[chunk.rowCount - 1] === 1;
}
