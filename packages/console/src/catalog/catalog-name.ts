/** A name of the catalog. */
export interface CatalogName {
  readonly name: string;
  readonly kind: 'catalog' | 'schema' | 'table' | 'view' | 'column';
  /** Type of a column; null for other names. */
  readonly detail: string | null;
  readonly description: string | null;
  /** Catalog, schema and table that the name is in. */
  readonly path: readonly string[];
}
