import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { EngineSpec } from '../../engines/engine-kinds.ts';
import { ALLOWED_FUNCTIONS } from '../guard/allowed-functions.ts';
import { DuckDBInstance } from '../node-api.ts';
import { sqlString } from '../sql-text.ts';
import { createTablesSql, SYSTEM_COLUMNS } from './catalogue-tables.ts';
import { INFORMATION_COLUMNS, informationSchemaSql } from './information-schema.ts';
import { jdbcTypesSql, typeFactsSql } from './type-facts.ts';

/** Files of a mirrored catalog. Plain data, because it is sent to a query worker. */
export interface CatalogueFiles {
  /**
   * Folder with `catalogs`, `schemas`, `tables` and `columns`: files with a JSON object in each line, with the members of
   * `MEMBERS`. Names are in the order of their bytes.
   */
  readonly folder: string;
  /** Path of the database to make. */
  readonly database: string;
}

interface MakeCatalogueOptions {
  /** Folder for data that does not fit in memory. */
  readonly tempFolder: string;
  readonly memoryBytesMax: number;
  readonly signal: AbortSignal;
}

/** Members of the objects in each file. */
const MEMBERS = {
  catalogs: { name: 'VARCHAR', connector: 'VARCHAR' },
  schemas: { catalog: 'VARCHAR', name: 'VARCHAR' },
  tables: { catalog: 'VARCHAR', schema: 'VARCHAR', name: 'VARCHAR', type: 'VARCHAR', remarks: 'VARCHAR' },
  columns: {
    catalog: 'VARCHAR',
    schema: 'VARCHAR',
    table: 'VARCHAR',
    name: 'VARCHAR',
    position: 'BIGINT',
    type: 'VARCHAR',
    nullable: 'BOOLEAN',
    remarks: 'VARCHAR',
  },
} as const;

const THREADS = 2;

/** Makes the database with the memory of an engine that reads it. Throws what `makeCatalogue` throws. */
export async function makeCatalogueFor(
  engine: EngineSpec,
  files: CatalogueFiles,
  options: Omit<MakeCatalogueOptions, 'memoryBytesMax'>,
): Promise<void> {
  if (engine.kind !== 'duckdb') throw new Error('Only DuckDB reads a mirrored catalog.');
  await makeCatalogue(files, { ...options, memoryBytesMax: engine.profile.memoryBytesMax });
}

/**
 * Makes a database with the tables of Trino's catalog `system` (`jdbc`, `metadata`, `runtime`) and the `information_schema` of each catalog,
 * from the rows of a mirrored catalog. Throws errors of DuckDB, and the reason of the signal. The caller removes an incomplete file.
 */
export async function makeCatalogue(files: CatalogueFiles, options: MakeCatalogueOptions): Promise<void> {
  const { signal } = options;
  const instance = await DuckDBInstance.create(files.database);
  const connection = await instance.connect();
  const onAbort = (): void => connection.interrupt();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (const sql of statementsOf(files, options)) {
      signal.throwIfAborted();
      await connection.run(sql);
    }
    for (const catalog of await catalogsIn(connection)) {
      signal.throwIfAborted();
      for (const sql of informationSchemaSql(catalog)) await connection.run(sql);
    }
    await connection.run('CHECKPOINT');
  } finally {
    signal.removeEventListener('abort', onAbort);
    connection.closeSync();
    instance.closeSync();
  }
}

async function catalogsIn(connection: DuckDBConnection): Promise<readonly string[]> {
  const reader = await connection.runAndReadAll('SELECT table_cat FROM jdbc.catalogs ORDER BY 1');
  return reader.getRows().map(([name]) => String(name));
}

const statementsOf = (
  files: CatalogueFiles,
  { tempFolder, memoryBytesMax }: MakeCatalogueOptions,
): readonly string[] => [
  `SET memory_limit = '${memoryBytesMax}B'`,
  `SET threads = ${THREADS}`,
  `SET temp_directory = ${sqlString(tempFolder)}`,
  ...createTablesSql(),
  ...ownRowsSql(files),
  ...mirroredRowsSql(files),
  ...fixedRowsSql(),
  functionsSql(),
  // For SHOW CREATE TABLE, which writes types otherwise than the lists of columns.
  'CREATE TABLE sluice.types AS SELECT type_name, min(sql_name) AS sql_name FROM type_facts GROUP BY type_name',
];

/** Returns a query of the rows of a file. Types are given, so nothing is guessed from the first lines. */
function linesOf({ folder }: CatalogueFiles, name: keyof typeof MEMBERS): string {
  const columns = Object.entries(MEMBERS[name]).map(([member, type]) => `"${member}": '${type}'`);
  return `SELECT * FROM read_json(${sqlString(join(folder, name))}, format = 'newline_delimited', columns = {${columns.join(', ')}})`;
}

/**
 * Makes temporary tables of the catalogs and of what each has besides the mirrored tables: `system` with its tables, unless a mirrored catalog
 * has this name, and every `information_schema`.
 */
const ownRowsSql = (files: CatalogueFiles): readonly string[] => [
  `CREATE TEMP TABLE all_catalogs AS ${linesOf(files, 'catalogs')}`,
  `CREATE TEMP TABLE is_own AS SELECT count(*) = 0 AS yes FROM all_catalogs WHERE lower(name) = 'system'`,
  `INSERT INTO all_catalogs SELECT 'system', 'system' FROM is_own WHERE yes`,
  `CREATE TEMP TABLE own_columns AS
    SELECT 'system' AS catalog, s.* FROM is_own,
      (VALUES ${SYSTEM_COLUMNS.map(rowOf).join(', ')}) AS s("schema", "table", name, position, type) WHERE yes
    UNION ALL
    SELECT c.name, 'information_schema', i.* FROM all_catalogs c,
      (VALUES ${INFORMATION_COLUMNS.map(rowOf).join(', ')}) AS i("table", name, position, type)`,
  `CREATE TEMP TABLE type_facts AS ${typeFactsSql(`SELECT type FROM (${linesOf(files, 'columns')}) UNION SELECT type FROM own_columns`)}`,
];

const rowOf = (values: readonly (string | number)[]): string =>
  `(${values.map((value) => (typeof value === 'number' ? value : sqlString(value))).join(', ')})`;

const mirroredRowsSql = (files: CatalogueFiles): readonly string[] => [
  'INSERT INTO jdbc.catalogs SELECT name FROM all_catalogs ORDER BY name',
  'INSERT INTO metadata.catalogs SELECT name, name, lower(connector) FROM all_catalogs ORDER BY name',
  `INSERT INTO jdbc.schemas
    SELECT name, catalog FROM (
      ${linesOf(files, 'schemas')}
      UNION SELECT DISTINCT catalog, "schema" FROM own_columns
    ) ORDER BY catalog, name`,
  `INSERT INTO jdbc.tables
    SELECT catalog, "schema", name, type, remarks, NULL, NULL, NULL, NULL, NULL FROM (${linesOf(files, 'tables')})
    UNION ALL
    SELECT DISTINCT catalog, "schema", "table", 'TABLE', NULL, NULL, NULL, NULL, NULL, NULL FROM own_columns`,
  'INSERT INTO metadata.table_comments SELECT table_cat, table_schem, table_name, remarks FROM jdbc.tables',
  `INSERT INTO jdbc.columns ${columnRowsSql(linesOf(files, 'columns'))}`,
  `INSERT INTO jdbc.columns ${columnRowsSql('SELECT *, true AS nullable, NULL AS remarks FROM own_columns')}`,
];

const columnRowsSql = (columns: string): string => `
  SELECT c.catalog, c."schema", c."table", c.name, t.data_type, t.type_name, t.column_size, 0, t.decimal_digits, t.num_prec_radix,
    CASE WHEN c.nullable THEN 1 ELSE 0 END, c.remarks, NULL, NULL, NULL, t.char_octet_length, c.position, CASE WHEN c.nullable THEN 'YES' ELSE 'NO' END,
    NULL, NULL, NULL, NULL, NULL, NULL
  FROM (${columns}) c JOIN type_facts t ON t.type = c.type`;

const fixedRowsSql = (): readonly string[] => [
  "INSERT INTO jdbc.table_types VALUES ('TABLE'), ('VIEW')",
  `INSERT INTO jdbc.types ${jdbcTypesSql()}`,
  // The hosts of a deployment and their addresses are not for its users.
  "INSERT INTO runtime.nodes VALUES ('sluice', NULL, '476', true, 'active')",
];

/** Functions that the guard allows, for SHOW FUNCTIONS. Those that stand for operators have no names. */
const functionsSql = (): string => `
  CREATE TABLE sluice.functions AS
  SELECT DISTINCT function_name, lower(coalesce(return_type, '')) AS return_type,
    lower(coalesce(array_to_string(parameter_types, ', '), '')) AS argument_types,
    CASE function_type WHEN 'aggregate' THEN 'aggregate' ELSE 'scalar' END AS function_type,
    stability IS NOT DISTINCT FROM 'CONSISTENT' AS deterministic, coalesce(description, '') AS description
  FROM duckdb_functions()
  WHERE function_name IN (${[...ALLOWED_FUNCTIONS].map(sqlString).join(', ')}) AND function_type IN ('scalar', 'aggregate', 'macro')
    AND regexp_matches(function_name, '^[a-z_]')
  ORDER BY function_name`;
