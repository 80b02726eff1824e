import { trinoListing } from '../src/trino/catalog/trino-listing.ts';
import type { TrinoProfile } from '../src/trino/protocol/profile.ts';
import { TrinoEngine } from '../src/trino/trino-engine.ts';
import type { EngineFixture, EngineSql } from './engine-fixture.ts';

const BLOCK = 1_000_000;

/** Returns numbers in order without a sort, so that any number of rows can stream: one driver unnests blocks of a thousand by a thousand. */
const numbers = (n: number): string =>
  `SELECT a * ${BLOCK} + b * 1000 + c AS id FROM UNNEST(sequence(0, ${Math.max(Math.ceil(n / BLOCK) - 1, 0)})) AS t(a)
   CROSS JOIN UNNEST(sequence(0, 999)) AS u(b) CROSS JOIN UNNEST(sequence(0, 999)) AS v(c)
   WHERE a * ${BLOCK} + b * 1000 + c < ${n}`;

const numbered = (n: number, label: string): string => `SELECT id, ${label} AS label FROM (${numbers(n)}) AS r`;

/** One value of every type that Trino has without a plugin, and the name that clients see. */
const EVERY_TYPE: readonly (readonly [type: string, sql: string])[] = [
  ['boolean', 'true'],
  ['tinyint', "TINYINT '-128'"],
  ['smallint', "SMALLINT '-32768'"],
  ['integer', "INTEGER '2147483647'"],
  ['bigint', "BIGINT '9223372036854775807'"],
  ['real', "REAL '0.1'"],
  ['double', 'nan()'],
  ['decimal(5,2)', "DECIMAL '250.00'"],
  ['decimal(38,0)', "DECIMAL '99999999999999999999999999999999999999'"],
  ['varchar', "'a' || chr(10) || 'ü😀'"],
  ['varchar(3)', "CAST('abc' AS varchar(3))"],
  ['char(3)', "CAST('a' AS char(3))"],
  ['varbinary', "X'00ff'"],
  ['json', `JSON '{"a": 1.50}'`],
  ['date', "DATE '2026-03-29'"],
  ['time(3)', "TIME '12:30:00.500'"],
  ['time(12)', "TIME '12:30:00.500000000001'"],
  ['time(0) with time zone', "TIME '12:30:00+05:30'"],
  ['timestamp(0)', "TIMESTAMP '2026-03-29 12:30:00'"],
  ['timestamp(12)', "TIMESTAMP '2026-03-29 12:30:00.123456789012'"],
  ['timestamp(3) with time zone', "TIMESTAMP '2026-03-29 12:30:00.500 Europe/Berlin'"],
  ['interval day to second', "INTERVAL '2' DAY"],
  ['interval year to month', "INTERVAL '3' MONTH"],
  ['uuid', "UUID '6fa459ea-ee8a-3ca4-894e-db77e160355e'"],
  ['ipaddress', "IPADDRESS '10.0.0.1'"],
  ['hyperloglog', 'approx_set(1)'],
  ['array(integer)', 'ARRAY[1, NULL]'],
  ['map(varchar(1),decimal(2,1))', "MAP(ARRAY['a'], ARRAY[1.5])"],
  ['row(a integer,"B c" char(2))', `CAST(ROW(1, 'x') AS ROW(a integer, "B c" char(2)))`],
  ['row(field0 integer,field1 varchar(1))', "ROW(1, 'x')"],
  ['unknown', 'NULL'],
];

/** The contract's statements in Trino's SQL. They need the catalogs `tpch` and `memory`. */
export const TRINO_SQL: EngineSql = {
  rows: (n) => numbered(n, "'row ' || CAST(id AS varchar)"),
  failAt: (id, n) =>
    numbered(
      n,
      `CASE WHEN id = ${id} THEN CAST(fail('the reactor is leaking') AS varchar) ELSE 'row ' || CAST(id AS varchar) END`,
    ),
  failure: 'the reactor is leaking',
  farRow: 2_000_000, // more than Trino keeps for a client (32 MB), so that the first rows are fetched before
  failedCastAt: (id, n) =>
    `SELECT CAST(CASE WHEN id = ${id} THEN 'melted' ELSE CAST(id AS varchar) END AS integer) AS n FROM (${numbers(n)}) AS r`,
  slow: 'SELECT count(*) AS n FROM tpch.sf1000.lineitem',
  slowAfterRows: `SELECT id, CASE WHEN id < 100000 THEN 0 ELSE reduce(sequence(1, 1000), 0, (s, x) -> (s + x * id) % 7, s -> s) END AS n
    FROM (${numbers(100_000_000)}) AS r`,
  instant: 'SELECT from_unixtime(1792888200) AS at',
  everyType: {
    sql: `SELECT ${EVERY_TYPE.map(([, sql], index) => `${sql} AS c${index}`).join(', ')}`,
    types: EVERY_TYPE.map(([type]) => type),
  },
  table: 'memory.sluice_contract.answers',
  named: { catalog: 'MEMORY', schema: 'Sluice_Contract', name: 'answers' },
  listed: {
    catalog: 'memory',
    tables: [
      {
        schema: 'sluice_contract',
        name: 'answers',
        type: 'TABLE',
        columns: [{ name: 'answer', type: 'integer' }],
      },
      {
        schema: 'sluice_contract',
        name: 'questions',
        type: 'VIEW',
        columns: [{ name: 'question', type: 'integer' }],
      },
      {
        schema: 'sluice_contract',
        name: 'wide',
        type: 'TABLE',
        columns: [
          { name: 'a', type: 'decimal(3,1)' },
          { name: 'b', type: 'row("D e" integer,f array(varchar))' },
          { name: 'c', type: 'timestamp(3) with time zone' },
          { name: 'd', type: 'map(varchar(3),decimal(38,0))' },
          { name: 'e', type: 'char(2)' },
        ],
      },
    ],
  },
  writes: [
    'CREATE TABLE memory.sluice_contract.t AS SELECT 1 AS a',
    'DROP TABLE memory.sluice_contract.answers',
    'DELETE FROM memory.sluice_contract.answers',
    'INSERT INTO memory.sluice_contract.answers VALUES (1)',
    "SET SESSION query_max_run_time = '1h'",
    'SET ROLE ALL',
    "SET TIME ZONE 'Asia/Tokyo'",
    'RESET SESSION query_max_run_time',
    'USE tpch.tiny',
    'START TRANSACTION',
    'PREPARE p FROM SELECT 1',
    'EXECUTE p',
    "EXECUTE IMMEDIATE 'SELECT 1'",
    "CALL system.runtime.kill_query('20260101_000000_00000_aaaaa')",
    'EXPLAIN ANALYZE DELETE FROM memory.sluice_contract.answers',
    "WITH SESSION query_max_run_time = '1h' SELECT 1",
    'SELECT 1; DROP TABLE memory.sluice_contract.answers',
    '/* /* */ DELETE FROM memory.sluice_contract.answers -- */ SELECT 1',
  ],
};

/** Creates a fixture on a running Trino, with its own tables, which it removes at the end. */
export async function createTrinoFixture(baseUrl: string): Promise<EngineFixture> {
  const profile: TrinoProfile = {
    baseUrl,
    catalogs: ['tpch', 'memory'],
    defaultCatalog: 'tpch',
    defaultSchema: 'tiny',
    credentials: { kind: 'none' },
  };
  await runOnTrino(baseUrl, 'CREATE SCHEMA IF NOT EXISTS memory.sluice_contract');
  await runOnTrino(baseUrl, 'DROP TABLE IF EXISTS memory.sluice_contract.answers');
  await runOnTrino(baseUrl, 'CREATE TABLE memory.sluice_contract.answers AS SELECT 42 AS answer');
  await runOnTrino(baseUrl, 'DROP TABLE IF EXISTS memory.sluice_contract.wide');
  await runOnTrino(
    baseUrl,
    `CREATE TABLE memory.sluice_contract.wide (a decimal(3,1), b ROW("D e" integer, f array(varchar)),
       c timestamp(3) with time zone, d map(varchar(3), decimal(38,0)), e char(2))`,
  );
  await runOnTrino(
    baseUrl,
    'CREATE OR REPLACE VIEW memory.sluice_contract.questions AS SELECT answer AS question FROM memory.sluice_contract.answers',
  );
  return {
    sql: TRINO_SQL,
    listing: trinoListing(profile),
    open: async () => new TrinoEngine(profile),
    [Symbol.asyncDispose]: async () => {
      await runOnTrino(baseUrl, 'DROP VIEW memory.sluice_contract.questions');
      await runOnTrino(baseUrl, 'DROP TABLE memory.sluice_contract.wide');
      await runOnTrino(baseUrl, 'DROP TABLE memory.sluice_contract.answers');
      await runOnTrino(baseUrl, 'DROP SCHEMA memory.sluice_contract');
    },
  };
}

interface Answer {
  readonly nextUri?: string;
  readonly error?: { readonly message: string };
  readonly data?: readonly (readonly unknown[])[];
}

/**
 * Runs any statement on Trino without the engine under test: statements that write, and those about Trino itself. Rows as in
 * Trino's JSON.
 */
export async function runOnTrino(baseUrl: string, sql: string): Promise<readonly (readonly unknown[])[]> {
  const headers = { 'x-trino-user': 'fixture' };
  const rows: (readonly unknown[])[] = [];
  let answer = (await (
    await fetch(`${baseUrl}/v1/statement`, { method: 'POST', headers, body: sql })
  ).json()) as Answer;
  for (;;) {
    if (answer.error !== undefined) throw new Error(`Trino: ${answer.error.message}`);
    rows.push(...(answer.data ?? []));
    if (answer.nextUri === undefined) return rows;
    answer = (await (await fetch(answer.nextUri, { headers })).json()) as Answer;
  }
}
