import { RESERVED_WORDS } from '../reserved-words.ts';
import type { FullName } from './statement-parser.ts';
import { sqlText } from './tokens.ts';

/** Returns an expression of a name as Trino writes it: without quotes if it needs none. */
const identifier = (name: string): string =>
  `CASE WHEN regexp_full_match(${name}, '[a-z_][a-z0-9_]*') AND ${name} NOT IN (${[...RESERVED_WORDS].map(sqlText).join(', ')})
    THEN ${name} ELSE '"' || replace(${name}, '"', '""') || '"' END`;

/** Returns an expression of a comment clause; null if there is no comment. */
const comment = (before: string, text: string): string =>
  `${before} || 'COMMENT ''' || replace(${text}, '''', '''''') || ''''`;

const isNamed = (alias: string, { catalog, schema, table }: FullName): string =>
  [
    [`${alias}.table_cat`, catalog],
    [`${alias}.table_schem`, schema],
    [`${alias}.table_name`, table],
  ]
    .map(([column = '', name = '']) => `lower(${column}) = lower(${sqlText(name)})`)
    .join(' AND ');

/** Returns SQL of SHOW CREATE TABLE, from columns and descriptions. It has no row if there is no such table. */
export const createTableSql = (name: FullName): string => `
  SELECT 'CREATE TABLE ' || ${['t.table_cat', 't.table_schem', 't.table_name'].map(identifier).join(` || '.' || `)}
    || ' (' || chr(10) || c.columns || chr(10) || ')' || coalesce(${comment('chr(10)', 't.remarks')}, '') AS "Create Table"
  FROM jdbc.tables t, (
    SELECT string_agg('   ' || ${identifier('c.column_name')} || ' ' || y.sql_name
      || CASE c.is_nullable WHEN 'NO' THEN ' NOT NULL' ELSE '' END || coalesce(${comment("' '", 'c.remarks')}, ''),
      ',' || chr(10) ORDER BY c.ordinal_position) AS columns
    FROM jdbc.columns c JOIN sluice.types y ON y.type_name = c.type_name WHERE ${isNamed('c', name)}
  ) c
  WHERE ${isNamed('t', name)} AND t.table_type = 'TABLE'`;

/** Returns SQL of SHOW CREATE SCHEMA. It has no row if there is no such schema. */
export const createSchemaSql = ({ catalog, schema }: Omit<FullName, 'table'>): string => `
  SELECT 'CREATE SCHEMA ' || ${identifier('table_catalog')} || '.' || ${identifier('table_schem')} AS "Create Schema"
  FROM jdbc.schemas WHERE lower(table_catalog) = lower(${sqlText(catalog)}) AND lower(table_schem) = lower(${sqlText(schema)})`;
