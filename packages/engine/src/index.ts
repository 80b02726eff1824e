export { DuckDbEngine } from './duckdb/duckdb-engine.ts';
export type { DuckDbCatalog, DuckDbProfile } from './duckdb/profile.ts';
export type { Engine, RenderRows, ResultEvent, RowsEvent, Statement } from './engine.ts';
export { EVENT_BYTES_MAX } from './event-bytes.ts';
export {
  checkTrinoProfile,
  TRINO_LIMITS,
  type TrinoCredentials,
  type TrinoLimits,
  type TrinoProfile,
} from './trino/profile.ts';
export { TrinoEngine, type TrinoEngineOptions, type TrinoProgress } from './trino/trino-engine.ts';
