import type { Column, ProblemError } from '@sluice/contract';

/** A table or view as its engine lists it. */
export interface CatalogTable {
  readonly schema: string;
  readonly name: string;
  readonly type: 'TABLE' | 'VIEW';
  /** Columns in the order of the table, with types named as in results; empty for a view that the engine can no longer read. */
  readonly columns: readonly Column[];
}

/** Position of a harvest: the last table that it has read. */
export interface CatalogPosition {
  readonly catalog: string;
  readonly schema: string;
  readonly name: string;
}

/**
 * A piece of a catalog. Catalogs come first; then, for each catalog, its schemas, its tables in pages, and its end. Names ascend
 * by the bytes of their UTF-8, tables by schema and name.
 */
export type CatalogPage =
  | { readonly kind: 'catalogs'; readonly names: readonly string[] }
  | { readonly kind: 'schemas'; readonly catalog: string; readonly names: readonly string[] }
  | { readonly kind: 'tables'; readonly catalog: string; readonly tables: readonly CatalogTable[] }
  /** The catalog is complete. */
  | { readonly kind: 'end'; readonly catalog: string }
  /** The engine could not list this catalog, or not to its end. The next catalog follows. */
  | { readonly kind: 'unreadable'; readonly catalog: string; readonly problem: ProblemError };
