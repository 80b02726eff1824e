import type { CatalogListing } from '../../catalog/catalog-listing.ts';
import { compareNames } from '../../catalog/read-catalog.ts';
import type { DuckDbProfile } from '../profile.ts';
import { sqlIdentifier, sqlString } from '../sql-text.ts';
import { listedTypeName } from './listed-type-name.ts';

/** DuckDB's own schemas, which every database has. */
const OWN_SCHEMAS = "('information_schema', 'pg_catalog')";

/**
 * Lists DuckDB's catalogs with `information_schema`, where one statement lists a whole database: each statement would read all of
 * it.
 */
export const duckDbListing = ({ catalogs }: Pick<DuckDbProfile, 'catalogs'>): CatalogListing => ({
  catalogs: catalogs.map(({ name }) => name).sort(compareNames),

  schemasSql: (catalog) =>
    `SELECT schema_name FROM information_schema.schemata
     WHERE catalog_name = ${sqlString(catalog)} AND schema_name NOT IN ${OWN_SCHEMAS} ORDER BY 1`,

  tablesSql: ({ catalog, after }) => {
    const ofCatalog = `WHERE table_catalog = ${sqlString(catalog)} AND table_schema NOT IN ${OWN_SCHEMAS}`;
    const behind =
      after === undefined
        ? ''
        : `AND (table_schema > ${sqlString(after.schema)}
             OR (table_schema = ${sqlString(after.schema)} AND table_name > ${sqlString(after.name)}))`;
    return [
      `SELECT t.table_schema, t.table_name, CASE WHEN t.table_type LIKE '%VIEW%' THEN 'VIEW' ELSE 'TABLE' END AS kind,
         c.column_name, c.data_type
       FROM (SELECT table_schema, table_name, table_type FROM information_schema.tables ${ofCatalog} ${behind}) AS t
       LEFT JOIN (SELECT table_schema, table_name, column_name, data_type, ordinal_position
         FROM information_schema.columns ${ofCatalog} ${behind}) AS c
         ON c.table_schema = t.table_schema AND c.table_name = t.table_name
       ORDER BY t.table_schema, t.table_name, c.ordinal_position`,
    ];
  },

  typeName: listedTypeName,

  // The guard cannot read a cast to a nested ENUM, so the column itself is asked first.
  typeSql: ({ catalog, schema, table, name, type }) => [
    `SELECT ${sqlIdentifier(name)} FROM ${[catalog, schema, table].map(sqlIdentifier).join('.')}`,
    `SELECT CAST(NULL AS ${type})`,
  ],
});
