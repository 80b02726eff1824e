export type { CatalogPage, CatalogPosition, CatalogTable } from './catalog/catalog-page.ts';
export { CATALOG_FORMAT } from './catalog/json-rows.ts';
export { readCatalog } from './catalog/read-catalog.ts';
export type { CatalogueFiles } from './duckdb/catalogue/make-catalogue.ts';
export type { DuckDbCatalog, DuckDbProfile } from './duckdb/profile.ts';
export type {
  ColumnsEvent,
  Engine,
  EngineProgress,
  RenderRows,
  ResultEvent,
  RowsEvent,
  SentEvent,
  Statement,
  StoredRowsEvent,
} from './engine.ts';
export {
  cancelRemoteStatement,
  checkEngine,
  type EngineSpec,
  engineCapabilities,
  engineListing,
  engineLocation,
  parameterMarks,
} from './engines/engine-kinds.ts';
export { findSqlParameters } from './engines/sql-parameters.ts';
export { EVENT_BYTES_MAX } from './event-bytes.ts';
export { locationAt } from './parameter-mark.ts';
export { lexSql, type SqlToken, stripTrailingSemicolons } from './statement-lexer.ts';
export type { TableName } from './table-name.ts';
export { hasTimes } from './trino/cells/page-cells.ts';
export { typeOfName } from './trino/cells/type-of-name.ts';
export type { TrinoType } from './trino/cells/types.ts';
export { isMark, isWord } from './trino/guard/qualified-name.ts';
export { lexTrinoSql, type TrinoToken } from './trino/guard/sql-lexer.ts';
export {
  checkTrinoProfile,
  type TrinoCredentials,
  type TrinoProfile,
} from './trino/protocol/profile.ts';
export { TrinoEngine } from './trino/trino-engine.ts';
