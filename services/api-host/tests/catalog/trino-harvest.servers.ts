import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HarvestRunBody } from '@sluice/contract';
import { runOnTrino } from '@sluice/engine/testing';
import { send } from '@sluice/testkit';
import { type LoggedIn, logInAs } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';

// A Trino of `deploy/components/trino.mjs start` is found without the variable.
// biome-ignore lint/style/noProcessEnv: the address of a test server is configured as a service's is
const baseUrl = process.env['SLUICE_TEST_TRINO'] ?? 'http://127.0.0.1:28090';
const SCHEMA = 'memory.sluice_harvest';
const LONG_MS = 180_000;

let test: TestHost;
let admin: LoggedIn;

beforeAll(async () => {
  await runOnTrino(baseUrl, `CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
  await runOnTrino(baseUrl, `DROP TABLE IF EXISTS ${SCHEMA}.orders`);
  await runOnTrino(baseUrl, `CREATE TABLE ${SCHEMA}.orders (id bigint, item ROW("B c" varchar(3), n decimal(12, 2)))`);
  await runOnTrino(baseUrl, `CREATE OR REPLACE VIEW ${SCHEMA}.ids AS SELECT id FROM ${SCHEMA}.orders`);
  test = await startTestHost({ ENGINE_URL: baseUrl, ENGINE_CATALOGS: 'memory' });
  admin = await logInAs(test, ['admin'], test.acme);
}, LONG_MS);
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await runOnTrino(baseUrl, `DROP VIEW ${SCHEMA}.ids`);
  await runOnTrino(baseUrl, `DROP TABLE IF EXISTS ${SCHEMA}.orders`);
  await runOnTrino(baseUrl, `DROP SCHEMA ${SCHEMA}`);
});

async function harvest(): Promise<HarvestRunBody> {
  const headers = { idtoken: admin.idToken };
  const { body } = await send(`${test.url}/admin/harvest`, { method: 'POST', headers });
  for (;;) {
    const { body: runs } = await send(`${test.url}/admin/harvest`, { headers });
    const run = (runs.data as HarvestRunBody[]).find(({ run_id }) => run_id === body.run_id);
    if (run?.state === 'FINISHED' || run?.state === 'FAILED') return run;
    await wait(100);
  }
}

const listed = () =>
  test.rows<{ table: string; columns: string[] }>(
    `select t.name || ' ' || f.type || case when t.absent_since is null then '' else ' absent' end as table,
       array(select c.name || ' ' || c.type from catalog_columns c
         where c.tenant_id = t.tenant_id and c.fact_id = t.fact_id order by c.position) as columns
     from catalog_tables t join facts f using (tenant_id, fact_id)
     where t.tenant_id = $1 and t.schema_name = 'sluice_harvest' order by 1`,
    [test.acme.tenantId],
  );

describe('a harvest of Trino', () => {
  it(
    'mirrors its tables, views and columns, and marks what vanished',
    async () => {
      expect(await harvest()).toMatchObject({ state: 'FINISHED', error: null });
      expect(await listed()).toEqual([
        { table: 'ids VIEW', columns: ['id bigint'] },
        { table: 'orders TABLE', columns: ['id bigint', 'item row("B c" varchar(3),n decimal(12,2))'] },
      ]);
      const [catalog] = await test.rows('select vendor_name, location from catalogs where tenant_id = $1', [
        test.acme.tenantId,
      ]);
      expect(catalog).toEqual({ vendor_name: 'Trino', location: new URL(baseUrl).hostname });
      await runOnTrino(baseUrl, `DROP TABLE ${SCHEMA}.orders`);
      expect(await harvest()).toMatchObject({ state: 'FINISHED' });
      expect((await listed()).map(({ table }) => table)).toContain('orders TABLE absent');
    },
    LONG_MS,
  );
});
