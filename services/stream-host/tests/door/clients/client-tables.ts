import { join } from 'node:path';
import { makeDuckDbFile, runOnTrino } from '@sluice/engine/testing';

/** Schema of the tables, which has the same name on all servers. */
export const SCHEMA = 'door_clients';
/** Catalog on Trino. Its connector keeps tables in memory. */
export const TRINO_CATALOG = 'memory';
/** Catalog on DuckDB, whose own database in memory has the other name. It has as many letters, because types have lengths. */
export const DUCKDB_CATALOG = 'bazaar';

const REGIONS = ['AFRICA', 'AMERICA', 'ASIA', 'EUROPE', 'MIDDLE EAST'];
/** Nations of TPC-H with the index of their region. */
const NATIONS = [
  ...['ALGERIA 0', 'ARGENTINA 1', 'BRAZIL 1', 'CANADA 1', 'EGYPT 4', 'ETHIOPIA 0', 'FRANCE 3', 'GERMANY 3', 'INDIA 2'],
  ...['INDONESIA 2', 'IRAN 4', 'IRAQ 4', 'JAPAN 2', 'JORDAN 4', 'KENYA 0', 'MOROCCO 0', 'MOZAMBIQUE 0', 'PERU 1'],
  ...['CHINA 2', 'ROMANIA 3', 'SAUDI ARABIA 4', 'VIETNAM 2', 'RUSSIA 3', 'UNITED KINGDOM 3', 'UNITED STATES 1'],
];
export const NUMBERS = 200_000;

const nationRow = (text: string, key: number): string => {
  const [, name, region] = /^(.*) (\d)$/.exec(text) ?? [];
  return `(${key}, '${name}', ${region}, ${key % 5 === 0 ? 'NULL' : `'it''s ${key}'`})`;
};

/** Statements that both engines run. The type names are those of Trino, which DuckDB knows too. */
const COMMON = [
  'CREATE TABLE region (r_regionkey bigint, r_name varchar)',
  `INSERT INTO region VALUES ${REGIONS.map((name, key) => `(${key}, '${name}')`).join(', ')}`,
  'CREATE TABLE nation (n_nationkey bigint, n_name varchar, n_regionkey bigint, n_comment varchar)',
  `INSERT INTO nation VALUES ${NATIONS.map(nationRow).join(', ')}`,
  'CREATE VIEW nation_names AS SELECT n_nationkey, n_name FROM nation',
  "COMMENT ON TABLE nation IS 'Nations of the world'",
  "COMMENT ON COLUMN nation.n_name IS 'Its name, in capitals'",
];

const ordersOf = (series: string, date: string, at: string): string =>
  `CREATE TABLE orders AS SELECT CAST(n AS bigint) AS o_orderkey, CAST(n * 7 % 997 AS bigint) AS o_custkey,
     CAST(CASE n % 3 WHEN 0 THEN 'F' WHEN 1 THEN 'O' ELSE 'P' END AS varchar) AS o_status,
     CAST(CAST(n * 7919 % 100000 AS decimal(12,2)) / 100 AS decimal(12,2)) AS o_total,
     ${date} AS o_date, ${at} AS o_at FROM ${series}`;

const everyTypeOf = (arrays: string): string =>
  `CREATE TABLE every_type (a_boolean boolean, a_tinyint tinyint, a_smallint smallint, an_integer integer, a_bigint bigint,
     a_real real, a_double double, a_decimal decimal(10,2), a_long_decimal decimal(38,10), a_varchar varchar, a_date date,
     a_uuid uuid, ${arrays})`;

const ON_TRINO = [
  ...COMMON,
  ordersOf(
    'UNNEST(sequence(1, 10000)) AS t(n)',
    "date_add('day', n % 365, DATE '2025-01-01')",
    "date_add('second', n, TIMESTAMP '2025-01-01 00:00:00.000001')",
  ),
  `CREATE TABLE numbers AS SELECT a * 1000 + b AS n
     FROM UNNEST(sequence(0, ${NUMBERS / 1000 - 1})) AS t(a) CROSS JOIN UNNEST(sequence(0, 999)) AS u(b)`,
  everyTypeOf(`a_time time(6), a_timestamp timestamp(6), an_instant timestamp(6) with time zone, a_list array(integer),
     a_map map(varchar, integer), a_row row(x integer, y varchar)`),
];

const ON_DUCKDB = [
  `CREATE SCHEMA ${SCHEMA}`,
  `USE ${SCHEMA}`,
  ...COMMON,
  ordersOf(
    `(SELECT range AS n FROM range(1, 10001))`,
    "CAST(DATE '2025-01-01' + CAST(n % 365 AS integer) AS date)",
    "TIMESTAMP '2025-01-01 00:00:00.000001' + to_seconds(n)",
  ),
  `CREATE TABLE numbers AS SELECT range AS n FROM range(${NUMBERS})`,
  everyTypeOf(`a_time time, a_timestamp timestamp, an_instant timestamptz, a_list integer[], a_map map(varchar, integer),
     a_row struct(x integer, y varchar)`),
  'CHECKPOINT',
];

/** Creates a DuckDB file with the tables in `folder`, and returns its path. */
export async function makeDuckDbTables(folder: string): Promise<string> {
  const path = join(folder, 'door-clients.duckdb');
  await makeDuckDbFile(path, ON_DUCKDB.join(';\n'));
  return path;
}

const RELATIONS = [
  'VIEW nation_names',
  'TABLE nation',
  'TABLE region',
  'TABLE orders',
  'TABLE numbers',
  'TABLE every_type',
];

/** Creates the tables on a Trino, and removes those of a run that was interrupted. */
export async function makeTrinoTables(url: string): Promise<AsyncDisposable> {
  const schema = `${TRINO_CATALOG}.${SCHEMA}`;
  const remove = async (): Promise<void> => {
    for (const relation of RELATIONS) await runOnTrino(url, `DROP ${relation.replace(' ', ` IF EXISTS ${schema}.`)}`);
    await runOnTrino(url, `DROP SCHEMA IF EXISTS ${schema}`);
  };
  await remove().catch(() => undefined);
  await runOnTrino(url, `CREATE SCHEMA IF NOT EXISTS ${schema}`);
  for (const sql of ON_TRINO) await runOnTrino(url, qualified(sql, schema));
  return { [Symbol.asyncDispose]: remove };
}

/** `runOnTrino` has no schema, so the names of the tables get it. */
const qualified = (sql: string, schema: string): string =>
  sql.replaceAll(
    /\b(TABLE|VIEW|INTO|COLUMN|FROM) (region|nation_names|nation|orders|numbers|every_type)\b/g,
    `$1 ${schema}.$2`,
  );
