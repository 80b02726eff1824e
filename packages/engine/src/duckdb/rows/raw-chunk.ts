import type { DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';

/** Returns the column of a chunk as the C API has it; node-api hides its own in its types. */
export const rawVector = (chunk: DuckDBDataChunk, column: number): duckdb.Vector =>
  duckdb.data_chunk_get_vector((chunk as unknown as { readonly chunk: duckdb.DataChunk }).chunk, column);
