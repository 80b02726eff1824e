import type { NamePath } from '@sluice/contract/sql';

/** A name of the catalog. */
export interface CatalogName {
  readonly name: string;
  readonly kind: 'catalog' | 'schema' | 'table' | 'view' | 'column';
  /** Type of a column, or number of tables of a catalog or schema. Null: not known. */
  readonly detail: string | null;
  readonly description: string | null;
  /** Catalog, schema and table that the name is in. */
  readonly path: NamePath;
}

/** Names that belong together, such as the tables of a schema. */
export interface SearchableNames {
  /** Returns the best matches for the beginning of a name, best first. Takes at most 5 ms for 50,000 names. */
  find(prefix: string, limit: number): readonly CatalogName[];
}

/** Catalog as completion reads it, level by level. Each level is read when it is first needed. */
export interface CompletionCatalog {
  /**
   * Returns the names below a path as it was typed, in any case: catalogs below `[]`, then schemas, tables, columns.
   * @param prefix - beginning of the name, for levels that are too large to be read whole
   * @returns undefined if the path does not exist
   */
  below(path: NamePath, prefix: string, signal: AbortSignal): Promise<SearchableNames | undefined>;
  /** Returns tables and views of any schema with a name that contains a word beginning with this text. */
  searchTables(text: string, signal: AbortSignal): Promise<readonly CatalogName[]>;
}
