import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDatabaseProxy, createTestDatabase, type DatabaseProxy, type TestDatabase } from '@sluice/testkit';
import { createDatabase, type Database } from '../database/database.ts';
import { createTenantStore } from '../identity/tenant-store.ts';
import { createDatamapCounters } from './datamap-counters.ts';
import { INSERT_COUNTERS, INSERT_FACT } from './datamap-statements.ts';

let test: TestDatabase;
let proxy: DatabaseProxy;
let superuser: Database;
let tenantId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  proxy = await createDatabaseProxy(test.apiUrl);
  superuser = createDatabase({ url: test.superuserUrl, poolMax: 2 });
  tenantId = (await createTenantStore(superuser).create({ name: 'acme' })).id;
}, 120_000);
afterAll(async () => {
  await superuser[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  await test.dispose();
});

const ACCOUNT = randomUUID();
const VIEWS = `
  select c.view_count::int as views, c.query_count::int as queries, (select viewed::int from fact_activity a where a.fact_id = c.fact_id) as own
  from fact_counters c where c.fact_id = $1`;

/** Counters of a host that is behind the proxy, and a datamap with one view and one query that are not written yet. */
async function fixture() {
  const database = createDatabase({ url: proxy.url, poolMax: 1, queryTimeoutMs: 1000 });
  const counters = createDatamapCounters(database);
  const factId = randomUUID();
  await superuser.withTenant(tenantId, async (transaction) => {
    await transaction.query(INSERT_FACT, [tenantId, factId, '', [], 'ann@example.com']);
    await transaction.query(INSERT_COUNTERS, [tenantId, factId]);
  });
  counters.countView({ tenantId, factId, accountId: ACCOUNT });
  counters.countQuery({ tenantId, factId });
  const stored = () => superuser.withTenant(tenantId, (transaction) => transaction.query(VIEWS, [factId]));
  return { counters, stored, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}

it('counts once when the reply to a commit is lost', async () => {
  await using host = await fixture();
  proxy.muteAtCommitOf('fact_counters');
  await expect(host.counters.flush()).rejects.toThrow('were not written');
  proxy.restore();
  await host.counters.flush();
  expect(await host.stored()).toEqual([{ views: 1, queries: 1, own: 1 }]);
});

it('writes the counts of a transaction that was rolled back with the next flush', async () => {
  await using host = await fixture();
  await superuser.withoutTenant(async (transaction) => {
    await transaction.query('lock table fact_counters in exclusive mode');
    await expect(host.counters.flush()).rejects.toThrow('were not written');
  });
  await host.counters.flush();
  expect(await host.stored()).toEqual([{ views: 1, queries: 1, own: 1 }]);
});

it('writes the counts of a flush that did not reach the database with the next one', async () => {
  await using host = await fixture();
  proxy.cut();
  await expect(host.counters.flush()).rejects.toThrow('were not written');
  proxy.restore();
  await host.counters.flush();
  expect(await host.stored()).toEqual([{ views: 1, queries: 1, own: 1 }]);
});
