export { DuckDbEngine } from './duckdb/duckdb-engine.ts';
export type { DuckDbCatalog, DuckDbProfile } from './duckdb/instance.ts';
export type { Engine, RenderRows, ResultEvent, RowsEvent, Statement } from './engine.ts';
