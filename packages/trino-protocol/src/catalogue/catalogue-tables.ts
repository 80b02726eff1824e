import { sqlName } from './tokens.ts';

/** Tables of the catalog `system` that the mirrored catalog answers, by schema. */
export const SYSTEM_TABLES: Readonly<Record<string, ReadonlySet<string>>> = {
  jdbc: new Set([
    ...['attributes', 'catalogs', 'columns', 'procedure_columns', 'procedures', 'pseudo_columns', 'schemas'],
    ...['super_tables', 'super_types', 'table_types', 'tables', 'types', 'udts'],
  ]),
  metadata: new Set(['catalogs', 'materialized_views', 'table_comments']),
  runtime: new Set(['nodes']),
};

/** Tables of the schema `information_schema` of each catalog that the mirrored catalog answers. */
export const INFORMATION_TABLES: ReadonlySet<string> = new Set(['columns', 'schemata', 'tables', 'views']);
export const INFORMATION_SCHEMA = 'information_schema';

export const isSystemTable = (schema: string, table: string): boolean =>
  Object.hasOwn(SYSTEM_TABLES, schema) && SYSTEM_TABLES[schema]?.has(table) === true;

/** Returns the quoted schema of DuckDB's file that has the `information_schema` of a catalog. `makeCatalogue` of the engine makes it. */
export const informationSchemaOf = (catalog: string): string => sqlName(`${INFORMATION_SCHEMA} of ${catalog}`);
