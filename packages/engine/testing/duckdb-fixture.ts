import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { DuckDbProfile } from '../src/duckdb/profile.ts';
import type { EngineSql } from './engine-fixture.ts';

/** A database file with one table and one view, and a profile that opens it read-only. */
export interface DuckDbFiles extends AsyncDisposable {
  readonly folder: string;
  readonly profile: DuckDbProfile;
}

export async function createDuckDbFiles(): Promise<DuckDbFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-engine-'));
  const path = join(folder, 'demo.duckdb');
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(`
    CREATE SCHEMA shop;
    CREATE TABLE shop.answers AS SELECT 42 AS answer;
    CREATE VIEW shop.questions AS SELECT answer AS question FROM shop.answers;
    CREATE TABLE shop."Wide; ""One""" (a DECIMAL(3,1), "B c" STRUCT("D e" INTEGER, f VARCHAR[]), mood ENUM('x', 'y')[], j JSON);
    CREATE SCHEMA other;
    CREATE TABLE other.more_answers AS SELECT 42 AS answer;
    CREATE TABLE gone (i INTEGER);
    CREATE VIEW shop.broken AS SELECT i FROM gone;
    DROP TABLE gone;`);
  connection.closeSync();
  instance.closeSync();
  return {
    folder,
    profile: {
      catalogs: [{ name: 'demo', path }],
      defaultCatalog: 'demo',
      defaultSchema: 'shop',
      readableFolders: [],
      memoryBytesMax: 512 * 1024 * 1024,
      threads: 2,
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

const numbered = (n: number, label: string): string => `SELECT i AS id, ${label} AS label FROM range(${n}) AS r(i)`;

export const DUCKDB_SQL: EngineSql = {
  rows: (n) => numbered(n, `'row ' || i`),
  failAt: (id, n) => numbered(n, `CASE WHEN i = ${id} THEN error('the reactor is leaking') ELSE 'row ' || i END`),
  failure: 'the reactor is leaking',
  farRow: 300_000,
  failedCastAt: (id, n) =>
    `SELECT CAST(CASE WHEN i = ${id} THEN 'melted' ELSE i::VARCHAR END AS INTEGER) AS n FROM range(${n}) AS r(i)`,
  slow: 'SELECT count(*) AS n FROM range(1000000) AS a(i), range(1000000) AS b(j) WHERE (i * j) % 7 = 3',
  // More rows than DuckDB keeps ready, then rows that take 20 microseconds each: it looks for interrupts between chunks of 2,048.
  slowAfterRows: `SELECT i, CASE WHEN i < 100000 THEN 0 ELSE list_sum(list_transform(range(500), lambda x: (x * i) % 7)) END AS n
    FROM range(100000000) AS r(i)`,
  instant: `SELECT TIMESTAMPTZ '2026-10-25 00:30:00+00' AS at`,
  everyType: {
    sql: 'SELECT * EXCLUDE (medium_enum) FROM test_all_types() LIMIT 1',
    types: [
      ...['boolean', 'tinyint', 'smallint', 'integer', 'bigint', 'number', 'number'],
      ...['smallint', 'integer', 'bigint', 'decimal(20,0)', 'number'],
      ...['date', 'time(6)', 'timestamp(6)', 'timestamp(0)', 'timestamp(3)', 'timestamp(9)'],
      ...['time(6) with time zone', 'timestamp(6) with time zone', 'real', 'double'],
      ...['decimal(4,1)', 'decimal(9,4)', 'decimal(18,6)', 'decimal(38,10)', 'uuid', 'interval'],
      ...['varchar', 'varbinary', 'varchar', 'varchar', 'varchar', 'array(integer)', 'array(double)', 'array(date)'],
      ...['array(timestamp(6))', 'array(timestamp(6) with time zone)', 'array(varchar)', 'array(array(integer))'],
      ...['row(a integer,b varchar)', 'row(a array(integer),b array(varchar))', 'array(row(a integer,b varchar))'],
      ...['map(varchar,varchar)', 'varchar', 'array(integer)', 'array(varchar)', 'array(array(integer))'],
      ...['array(array(varchar))', 'array(row(a integer,b varchar))', 'row(a array(integer),b array(varchar))'],
      ...['array(array(integer))', 'array(array(integer))', 'time(9)', 'varchar'],
    ],
  },
  table: 'answers',
  named: { catalog: 'DEMO', schema: 'Other', name: 'more_answers' },
  listed: {
    catalog: 'demo',
    tables: [
      { schema: 'shop', name: 'answers', type: 'TABLE', columns: [{ name: 'answer', type: 'integer' }] },
      { schema: 'shop', name: 'questions', type: 'VIEW', columns: [{ name: 'question', type: 'integer' }] },
      { schema: 'shop', name: 'broken', type: 'VIEW', columns: [{ name: 'i', type: 'integer' }] },
      {
        schema: 'shop',
        name: 'Wide; "One"',
        type: 'TABLE',
        columns: [
          { name: 'a', type: 'decimal(3,1)' },
          { name: 'B c', type: 'row("D e" integer,f array(varchar))' },
          { name: 'mood', type: 'array(varchar)' },
          { name: 'j', type: 'json' },
        ],
      },
    ],
  },
  writes: [
    'CREATE TABLE t AS SELECT 1',
    'CREATE TEMP VIEW answers AS SELECT 1 AS answer',
    'DROP TABLE answers',
    'DELETE FROM answers',
    "UPDATE answers SET answer = 'no'",
    'INSERT INTO answers VALUES (1)',
    'SET threads = 1',
    "SET TimeZone = 'Asia/Tokyo'",
    'BEGIN',
    "COPY answers TO '/tmp/answers.csv'",
    'EXPLAIN ANALYZE DELETE FROM answers',
    'SELECT 1; DROP TABLE answers',
  ],
};
