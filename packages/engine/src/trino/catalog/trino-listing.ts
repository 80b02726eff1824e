import type { CatalogListing } from '../../catalog/catalog-listing.ts';
import { compareNames } from '../../catalog/read-catalog.ts';
import type { TrinoProfile } from '../protocol/profile.ts';

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A type whose display name is its name in results except for spaces: no nesting, no field names. */
const PLAIN = /^[a-z][a-z0-9 ]*(?:\(\d+(?:, ?\d+)?\))?[a-z ]*$/;

/**
 * Lists Trino's catalogs with `information_schema`, schema by schema, so that connectors are not asked for more at once; many
 * read only the schema that a statement names.
 */
export const trinoListing = ({ catalogs }: Pick<TrinoProfile, 'catalogs'>): CatalogListing => ({
  catalogs: [...new Set(catalogs)].sort(compareNames),

  schemasSql: (catalog) =>
    `SELECT schema_name FROM ${identifier(catalog)}.information_schema.schemata
     WHERE schema_name <> 'information_schema' ORDER BY 1`,

  tablesSql: ({ catalog, schemas, after }) =>
    schemas
      .filter((schema) => after === undefined || compareNames(schema, after.schema) >= 0)
      .map((schema) => tablesOfSchema(catalog, schema, after?.schema === schema ? after.name : undefined)),

  typeName: (text) => (PLAIN.test(text) ? text.replaceAll(', ', ',') : undefined),

  typeSql: ({ catalog, schema, table, name, type }) => [
    `SELECT ${identifier(name)} FROM ${[catalog, schema, table].map(identifier).join('.')}`,
    `SELECT CAST(NULL AS ${type})`,
  ],
});

function tablesOfSchema(catalog: string, schema: string, after: string | undefined): string {
  const directory = `${identifier(catalog)}.information_schema`;
  const ofSchema = `WHERE table_schema = ${literal(schema)}${after === undefined ? '' : ` AND table_name > ${literal(after)}`}`;
  return `SELECT t.table_schema, t.table_name, CASE WHEN t.table_type LIKE '%VIEW%' THEN 'VIEW' ELSE 'TABLE' END AS kind,
      c.column_name, c.data_type
    FROM (SELECT table_schema, table_name, table_type FROM ${directory}.tables ${ofSchema}) AS t
    LEFT JOIN (SELECT table_schema, table_name, column_name, data_type, ordinal_position
      FROM ${directory}.columns ${ofSchema}) AS c
      ON c.table_schema = t.table_schema AND c.table_name = t.table_name
    ORDER BY t.table_name, c.ordinal_position`;
}
