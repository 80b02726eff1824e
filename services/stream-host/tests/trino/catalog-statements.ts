import { SQL_MARKS, TRINO_KEYWORDS } from '@sluice/engine/testing';
import { CATALOG_READS } from './catalog-reads.ts';

/** Tables of a tenant that the statements below use. */
interface Tables {
  readonly catalog: string;
  readonly table: string;
  readonly column: string;
  /** A table with its catalog that the caller may read. */
  readonly own: string;
}

/** Forbidden or invalid statements that name the catalog. */
const OTHERS: readonly string[] = [
  // Trino 476 fails with an internal error on these two, for any catalog.
  'VALUES (SELECT count(*) FROM {c}.tiny.{t})',
  'VALUES ROW(1, (SELECT count(*) FROM {c}.tiny.{t}))',
  'SELECT {c}.tiny.f(1)',
  'SELECT "{c}"."tiny"."f"(1)',
  'SELECT {c} . tiny . f ( {f} ) FROM {own}',
  'SELECT 1 FROM {own} ORDER BY {c}.tiny.f(1)',
  'SELECT 1 WHERE {c}.tiny.f(1) = 1',
  'SELECT sum({c}.tiny.f(1)) OVER () FROM {own}',
  'SELECT * FROM UNNEST({c}.tiny.f(1))',
  'SELECT * FROM TABLE({c}.tiny.f())',
  "SELECT * FROM TABLE({c}.system.query(query => 'SELECT 1'))",
  'SELECT * FROM TABLE({c}.tiny.f(TABLE({own})))',
  'SELECT * FROM TABLE(sequence({c}.tiny.f(1), 2))',
  'SELECT * FROM TABLE("select"(TABLE({c}.tiny.{t})))',
  'SELECT * FROM TABLE(exclude_columns(TABLE({own}), DESCRIPTOR(a) COPARTITION ({c}.tiny.{t}, x)))',
  'SHOW CREATE FUNCTION {c}.tiny.f',
  'SHOW CREATE VIEW {c}.tiny.{t}',
  'SHOW CREATE MATERIALIZED VIEW {c}.tiny.{t}',
  'SHOW TABLES FROM {c}.tiny.{t}',
  'SHOW TABLES {c}.tiny',
  "SHOW TABLES LIKE '%' FROM {c}.tiny",
  'SHOW COLUMNS {c}.tiny.{t}',
  'SHOW BRANCHES FROM {c}.tiny.{t}',
  'SHOW CATALOGS',
  "SHOW CATALOGS LIKE '{c}'",
  'SHOW ROLES FROM {c}',
  'SHOW CURRENT ROLES FROM {c}',
  'SHOW ROLE GRANTS FROM {c}',
  'SHOW GRANTS ON TABLE {c}.tiny.{t}',
  "SHOW SESSION LIKE '{c}%'",
  'SHOW STATS FOR TABLE {c}.tiny.{t}',
  'DESCRIBE {c}.tiny.{t}.{f}',
  'DESCRIBE INPUT {c}',
  'DESCRIBE OUTPUT {c}',
  'USE {c}.tiny',
  'USE "{c}"."tiny"',
  'SET SESSION {c}.x = 1',
  'RESET SESSION {c}.x',
  'SET PATH {c}.tiny',
  'SET ROLE ALL IN {c}',
  'WITH SESSION {c}.x = 1 SELECT 1',
  'WITH FUNCTION f() RETURNS bigint RETURN (SELECT count(*) FROM {c}.tiny.{t}) SELECT f()',
  'WITH FUNCTION f() RETURNS bigint RETURN {c}.tiny.g() SELECT f()',
  'PREPARE p FROM SELECT * FROM {c}.tiny.{t}',
  "EXECUTE IMMEDIATE 'SELECT * FROM {c}.tiny.{t}'",
  'EXECUTE p',
  'DEALLOCATE PREPARE p',
  'CREATE TABLE {c}.tiny.x AS SELECT 1 AS a',
  'CREATE TABLE x AS SELECT * FROM {c}.tiny.{t}',
  'CREATE VIEW {c}.tiny.x AS SELECT 1 AS a',
  'CREATE FUNCTION {c}.tiny.f() RETURNS bigint RETURN 1',
  'INSERT INTO {c}.tiny.{t} SELECT * FROM {c}.tiny.{t}',
  'DELETE FROM {c}.tiny.{t}',
  'UPDATE {c}.tiny.{t} SET {f} = 1',
  'MERGE INTO {c}.tiny.{t} AS x USING {own} AS o ON false WHEN NOT MATCHED THEN INSERT VALUES (1)',
  'TRUNCATE TABLE {c}.tiny.{t}',
  'DROP TABLE {c}.tiny.{t}',
  'DROP SCHEMA {c}.tiny',
  'DROP CATALOG {c}',
  'CREATE CATALOG x USING tpch',
  'ALTER TABLE {c}.tiny.{t} RENAME TO x',
  'COMMENT ON TABLE {c}.tiny.{t} IS NULL',
  'ANALYZE {c}.tiny.{t}',
  'CALL {c}.system.flush_metadata_cache()',
  'REFRESH MATERIALIZED VIEW {c}.tiny.x',
  'GRANT SELECT ON {c}.tiny.{t} TO ann',
  'EXPLAIN INSERT INTO {c}.tiny.{t} SELECT 1',
  'EXPLAIN ANALYZE CREATE TABLE {c}.tiny.x AS SELECT 1 AS a',
  'EXPLAIN (TYPE "IO") SELECT * FROM {c}.tiny.{t}',
  'EXPLAIN EXPLAIN SELECT * FROM {c}.tiny.{t}',
  'SELECT 1; SELECT * FROM {c}.tiny.{t}',
  'SELECT * FROM {c}.tiny.{t}.x',
  'SELECT * FROM `{c}`.tiny.{t}',
  "SELECT * FROM '{c}'.tiny.{t}",
  'SELECT * FROM {c}..{t}',
  'SELECT * FROM {c}.tiny',
  'SELECT * FROM "{c}.tiny.{t}"',
  'SELECT * FROM {c}.tiny."{t}"@x',
  'SELECT DISTINCT FROM {c}.tiny.{t}',
  'SELECT 1 IS DISTINCT FROM {c}.tiny.{t}',
  'SELECT trim(1 FROM {c}.tiny.{t})',
  'SELECT "TRIM"(1 FROM {c}.tiny.{t})',
  'SELECT extract(day FROM {c}.tiny.{t})',
  "SELECT 1 FROM {own} AS o JOIN {own} AS p ON listagg('a') WITHIN GROUP (ORDER BY 1) = 'a', {c}.tiny.{t}",
  'SELECT 1 FROM {own} WHERE, {c}.tiny.{t}',
  'SELECT 1 ſROM {c}.tiny.{t}',
  'ſELECT 1 FROM {c}.tiny.{t}',
  'SELECT 1 FROM\u00a0{c}.tiny.{t}',
  'SELECT 1 FROM\u2028{c}.tiny.{t}',
  'SELECT 1 FROM\u000b{c}.tiny.{t}',
  'SELECT 1e5FROM {c}.tiny.{t}',
  'SELECT $x$ FROM {c}.tiny.{t} $x$',
  "SELECT e'\\' FROM {c}.tiny.{t} --'",
  "SELECT 'a FROM {c}.tiny.{t}",
  '/* SELECT 1 FROM {c}.tiny.{t}',
  'SELECT 1 /* /* */ FROM {c}.tiny.{t} */',
  'SELECT 1 "a FROM {c}.tiny.{t}',
  "SELECT * FROM system.jdbc.tables WHERE table_cat = '{c}'",
  "SELECT * FROM system.jdbc.columns WHERE table_cat = '{c}'",
  "SELECT * FROM system.metadata.table_comments WHERE catalog_name = '{c}'",
  'SELECT * FROM system.metadata.catalogs',
  'SELECT * FROM system.metadata.schema_properties',
  'SELECT * FROM system.runtime.queries',
  'SELECT * FROM "system"."runtime"."queries"',
  'SELECT * FROM system.information_schema.tables',
  'SHOW TABLES FROM system.runtime',
  'SHOW SCHEMAS FROM system',
  'DESCRIBE system.runtime.queries',
  'SELECT * FROM jmx.current."java.lang:type=runtime"',
];

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const KEYWORDS = [...TRINO_KEYWORDS.reserved, ...TRINO_KEYWORDS.nonReserved];

/** One statement per keyword and symbol, as quoted and as plain aliases. */
const ALIASED: readonly string[] = [
  ...[...KEYWORDS, ...SQL_MARKS].map(
    (name) => `SELECT 1 AS ${quote(name)} FROM {own} AS ${quote(name)}, {c}.tiny.{t} LIMIT 1`,
  ),
  ...KEYWORDS.map((word) => `SELECT 1 FROM {own} ${word}, {c}.tiny.{t} LIMIT 1`),
];

const fill =
  ({ catalog, table, column, own }: Tables) =>
  (sql: string): string =>
    sql
      .replaceAll('{own}', own)
      .replaceAll('{c}', catalog)
      .replaceAll('{C}', catalog.toUpperCase())
      .replaceAll('{t}', table)
      .replaceAll('{T}', table.toUpperCase())
      .replaceAll('{f}', column);

/** Statements on the tables of one tenant: `reads` run for that tenant, `others` may not. None of them runs for another tenant. */
export const catalogStatements = (tables: Tables): { reads: readonly string[]; others: readonly string[] } => ({
  reads: CATALOG_READS.map(fill(tables)),
  others: [...OTHERS, ...ALIASED].map(fill(tables)),
});
