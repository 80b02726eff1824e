import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runOnTrino } from '@sluice/engine/testing';
import { type LoggedIn, logInAs } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { createDatamap } from './datamap-requests.ts';

// A Trino of `deploy/components/trino.mjs start` is found without the variable.
// biome-ignore lint/style/noProcessEnv: the address of a test server is configured as a service's is
const baseUrl = process.env['SLUICE_TEST_TRINO'] ?? 'http://127.0.0.1:28090';
const SCHEMA = 'memory.sluice_reads';
const LONG_MS = 180_000;

let test: TestHost;
let steward: LoggedIn;
beforeAll(async () => {
  await runOnTrino(baseUrl, `CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
  await runOnTrino(baseUrl, `CREATE TABLE IF NOT EXISTS ${SCHEMA}."odd.orders" (id bigint)`);
  await runOnTrino(baseUrl, `CREATE OR REPLACE VIEW ${SCHEMA}.ids AS SELECT id FROM ${SCHEMA}."odd.orders"`);
  test = await startTestHost({ ENGINE_URL: baseUrl, ENGINE_CATALOGS: 'memory,tpch' });
  steward = await logInAs(test, ['steward'], test.acme);
}, LONG_MS);
afterAll(async () => {
  await test?.[Symbol.asyncDispose]();
  await runOnTrino(baseUrl, `DROP VIEW ${SCHEMA}.ids`);
  await runOnTrino(baseUrl, `DROP TABLE ${SCHEMA}."odd.orders"`);
  await runOnTrino(baseUrl, `DROP SCHEMA ${SCHEMA}`);
});

it(
  'a datamap on Trino reads the tables below the views that its SQL names',
  async () => {
    const saved = async (sql: string) => {
      const { status, body, text } = await createDatamap(test, steward, { name: 'map', sql });
      if (status !== 201) throw new Error(text);
      return body.reads;
    };
    expect(await saved(`SELECT i.id FROM ${SCHEMA}.ids i CROSS JOIN TPCH.Tiny.Nation`)).toEqual([
      'memory.sluice_reads."odd.orders"',
      'tpch.tiny.nation',
    ]);
    expect(await saved('VALUES 1')).toEqual([]);
    expect(await saved('SHOW SCHEMAS FROM memory')).toEqual([]);
  },
  LONG_MS,
);
