import { randomBytes } from 'node:crypto';
import { runOnTrino } from '@sluice/engine/testing';
import { CREATE_WAITING_TABLES } from '../statements/trino-statements.ts';
import { createShopDatabase } from './create-shop-database.ts';

export type TestedEngine = 'duckdb' | 'trino';

/** Engine of the shared tests. The suites `trino` and `trino-full` run them again on Trino. */
// biome-ignore lint/style/noProcessEnv: a test run reads its engine like a service does
export const TESTED_ENGINE: TestedEngine = process.env['SLUICE_TEST_ENGINE'] === 'trino' ? 'trino' : 'duckdb';

/** The default is the Trino of `deploy/components/trino.mjs start`. */
// biome-ignore lint/style/noProcessEnv: a test run reads the address of its server like a service does
export const TRINO_URL = process.env['SLUICE_TEST_TRINO'] ?? 'http://127.0.0.1:28090';

/** The tables items, nothing and numbers on one engine, with the settings of a stream host for them. */
interface TestedTables extends AsyncDisposable {
  readonly settings: Readonly<Record<string, string>>;
}

/** Creates the tables. The caller deletes `folder`. */
export const createTables = (engine: TestedEngine, folder: string): Promise<TestedTables> =>
  engine === 'trino' ? makeTrinoTables() : makeDuckDbTables(folder);

async function makeDuckDbTables(folder: string): Promise<TestedTables> {
  const path = await createShopDatabase(folder);
  return {
    settings: {
      DUCKDB_CATALOGS: `shop=${path}`,
      DUCKDB_DEFAULT_SCHEMA: 'shop.main',
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

const TABLES = {
  items: `SELECT id, CAST(name AS varchar) AS name, CAST(price AS decimal(10,2)) AS price FROM (VALUES
    (BIGINT '1', 'nut', 0.10), (2, 'bolt, long', 250.00), (9223372036854775807, NULL, NULL)) AS t (id, name, price)`,
  nothing: `SELECT BIGINT '1' AS id, CAST('nut' AS varchar) AS name WHERE false`,
  numbers: 'SELECT a * 1000 + b AS n FROM UNNEST(sequence(0, 99)) AS t(a) CROSS JOIN UNNEST(sequence(0, 999)) AS u(b)',
};

/** Creates a schema per test file, so that files do not interfere. */
async function makeTrinoTables(): Promise<TestedTables> {
  const schema = `sluice_${randomBytes(4).toString('hex')}`;
  for (const sql of CREATE_WAITING_TABLES) await createIfMissing(sql);
  await runOnTrino(TRINO_URL, `CREATE SCHEMA memory.${schema}`);
  for (const [name, rows] of Object.entries(TABLES)) {
    await runOnTrino(TRINO_URL, `CREATE TABLE memory.${schema}.${name} AS ${rows}`);
  }
  return {
    settings: { ENGINE_URL: TRINO_URL, ENGINE_CATALOGS: 'memory,tpch,waits', ENGINE_SCHEMA: schema },
    async [Symbol.asyncDispose]() {
      for (const name of Object.keys(TABLES)) await runOnTrino(TRINO_URL, `DROP TABLE memory.${schema}.${name}`);
      await runOnTrino(TRINO_URL, `DROP SCHEMA memory.${schema}`);
    },
  };
}

/** Two files that begin at the same time may both find no table. */
async function createIfMissing(sql: string): Promise<void> {
  await runOnTrino(TRINO_URL, sql).catch(() => runOnTrino(TRINO_URL, sql));
}
