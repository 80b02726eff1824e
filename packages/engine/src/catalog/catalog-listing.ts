import type { CatalogPosition } from './catalog-page.ts';

/** How one kind of engine is asked for its catalogs, in SQL that its guard lets pass. */
export interface CatalogListing {
  /** What the tenant may read, ascending. */
  readonly catalogs: readonly string[];
  /** Statement for the names of a catalog's schemas, ascending, in one column. */
  schemasSql(catalog: string): string;
  /**
   * Statements whose results, one after the other, are the catalog's tables with their columns, ascending: schema, table,
   * `TABLE` or `VIEW`, column and type in the engine's words, both null for a table without columns.
   */
  tablesSql(question: TablesQuery): readonly string[];
  /** The name that results have for a type, when the engine's words say it; undefined: ask the engine. */
  typeName(text: string): string | undefined;
  /** Statements that have one column of the type, the surest first. */
  typeSql(column: ListedColumn): readonly string[];
}

export interface TablesQuery {
  readonly catalog: string;
  readonly schemas: readonly string[];
  readonly after: CatalogPosition | undefined;
}

export interface ListedColumn {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
  readonly name: string;
  readonly type: string;
}
