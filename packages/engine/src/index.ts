export { DuckDbEngine } from './duckdb/duckdb-engine.ts';
export type { DuckDbCatalog, DuckDbProfile } from './duckdb/profile.ts';
export { EVENT_BYTES_MAX } from './duckdb/row-stream.ts';
export type { Engine, RenderRows, ResultEvent, RowsEvent, Statement } from './engine.ts';
