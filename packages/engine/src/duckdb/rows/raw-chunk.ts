import type { DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';

/** Returns the column of a chunk as the C API has it; node-api hides its own in its types. */
export const rawVector = (chunk: DuckDBDataChunk, column: number): duckdb.Vector =>
  duckdb.data_chunk_get_vector((chunk as unknown as { readonly chunk: duckdb.DataChunk }).chunk, column);

/** Returns which rows of a vector are NULL; undefined: none. */
export function nullsOf(vector: duckdb.Vector, rows: number): ((row: number) => boolean) | undefined {
  const validity: Uint8Array | null = duckdb.vector_get_validity(vector, Math.ceil(rows / 64) * 8);
  return validity === null ? undefined : (row) => ((validity[row >> 3] ?? 0) & (1 << (row & 7))) === 0;
}
