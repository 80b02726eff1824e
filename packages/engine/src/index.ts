export type { CatalogPage, CatalogPosition, CatalogTable } from './catalog/catalog-page.ts';
export { CATALOG_FORMAT } from './catalog/json-rows.ts';
export { readCatalog } from './catalog/read-catalog.ts';
export type { DuckDbCatalog, DuckDbProfile } from './duckdb/profile.ts';
export type { Engine, RenderRows, ResultEvent, RowsEvent, Statement } from './engine.ts';
export { cancelRemoteStatement } from './engines/cancel-remote-statement.ts';
export { checkEngine } from './engines/check-engine.ts';
export { engineCapabilities } from './engines/engine-capabilities.ts';
export { engineListing } from './engines/engine-listing.ts';
export { engineLocation } from './engines/engine-location.ts';
export type { EngineProgress } from './engines/engine-progress.ts';
export type { EngineSpec } from './engines/engine-spec.ts';
export { findSqlParameters } from './engines/sql-parameters.ts';
export { EVENT_BYTES_MAX } from './event-bytes.ts';
export type { TableName } from './table-name.ts';
export {
  checkTrinoProfile,
  type TrinoCredentials,
  type TrinoProfile,
} from './trino/protocol/profile.ts';
export { TrinoEngine } from './trino/trino-engine.ts';
