import type { CatalogPosition } from './catalog-page.ts';

/** Statements by which one kind of engine lists its catalogs. Its guard accepts all of them. */
export interface CatalogListing {
  /** Catalogs that the tenant may read, ascending. */
  readonly catalogs: readonly string[];
  /** Returns the statement for the names of a catalog's schemas, ascending, in one column. */
  schemasSql(catalog: string): string;
  /**
   * Returns the statements whose results, one after the other, are the catalog's tables with their columns, ascending: schema,
   * table, `TABLE` or `VIEW`, column, and type as the engine writes it. Column and type are null for a table without columns.
   */
  tablesSql(query: TablesQuery): readonly string[];
  /** Returns the type's name in results, if the engine's text is enough to tell it; undefined: ask the engine. */
  typeName(text: string): string | undefined;
  /** Returns statements with one column of the type, the most reliable first. */
  typeSql(column: ListedColumn): readonly string[];
}

interface TablesQuery {
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
