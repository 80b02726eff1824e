import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { HarvestRunBody } from '@sluice/contract';
import { answerCatalog, type FakeCatalog, FakeTrino } from '@sluice/engine/testing';
import { createLogger } from '@sluice/observability';
import { send } from '@sluice/testkit';
import { type LoggedIn, logInAs } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { startApiHost } from '../../src/index.ts';

/** Allows for worker starts on a busy machine. */
jest.setTimeout(120_000);
const WAIT_MS = 60_000;

const AWAY = { message: 'the metastore is away', errorName: 'HIVE_METASTORE_ERROR', errorType: 'EXTERNAL' };
const SHOP: FakeCatalog = {
  schemas: ['main', 'sales'],
  rows: [
    ['main', 'items', 'TABLE', 'id', 'bigint'],
    ['main', 'items', 'TABLE', 'price', 'decimal(12, 2)'],
    ['main', 'items_by_day', 'VIEW', 'day', 'timestamp(3) with time zone'],
    ['sales', 'orders', 'TABLE', 'id', 'bigint'],
    ['sales', 'returns', 'TABLE', 'id', 'bigint'],
  ],
};

let shop: FakeCatalog = SHOP;
let trino: FakeTrino;
let test: TestHost;
let admin: LoggedIn;

beforeAll(async () => {
  trino = await FakeTrino.start({ result: (sql) => answerCatalog(sql, shop) });
  test = await startTestHost({ ENGINE_URL: trino.url, ENGINE_CATALOGS: 'shop' });
  admin = await logInAs(test, ['admin'], test.acme);
}, 120_000);
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await trino[Symbol.asyncDispose]();
});

async function harvest(): Promise<HarvestRunBody> {
  const headers = { idtoken: admin.idToken };
  const { body } = await send(`${test.url}/admin/harvest`, { method: 'POST', headers });
  for (const giveUpAt = performance.now() + WAIT_MS; performance.now() < giveUpAt; await wait(50)) {
    const { body: runs } = await send(`${test.url}/admin/harvest`, { headers });
    const run = (runs.data as HarvestRunBody[]).find(({ run_id }) => run_id === body.run_id);
    if (run?.state === 'FINISHED' || run?.state === 'FAILED') return run;
  }
  throw new Error('The harvest does not end');
}

const tables = async (): Promise<string[]> => {
  const rows = await test.rows<{ name: string }>(
    `select schema_name || '.' || name || case when absent_since is null then '' else ' absent' end as name
     from catalog_tables where tenant_id = $1 order by 1`,
    [test.acme.tenantId],
  );
  return rows.map(({ name }) => name);
};

const ALL = ['main.items', 'main.items_by_day', 'sales.orders', 'sales.returns'];

describe('a harvest of Trino', () => {
  it('logs a warning at start when tenants share one account', async () => {
    const lines: string[] = [];
    const log = createLogger({ service: 'test', level: 'warn', destination: { write: (line) => lines.push(line) } });
    await using _host = await startApiHost({ environment: test.environment, overrides: { log } });
    expect(lines.join('')).toMatch(/The tenants acme, globex share one account at one Trino/);
  });

  it('mirrors schemas, tables, views and columns, with their source', async () => {
    expect(await harvest()).toMatchObject({ state: 'FINISHED', tables: 4, columns: 5, error: null });
    expect(await tables()).toEqual(ALL);
    const [catalog] = await test.rows('select name, vendor_name, location from catalogs where tenant_id = $1', [
      test.acme.tenantId,
    ]);
    expect(catalog).toEqual({ name: 'shop', vendor_name: 'Trino', location: '127.0.0.1' });
  });

  it('keeps unlisted objects when a connector fails midway, and names the catalog', async () => {
    shop = { ...SHOP, failure: (schema) => (schema === 'sales' ? AWAY : undefined) };
    const run = await harvest();
    expect(run.state).toBe('FAILED');
    expect(run.error?.message).toContain('shop');
    expect(await tables()).toEqual(ALL);
  });

  it('marks missing objects absent, and restores them when they can be listed again', async () => {
    shop = { ...SHOP, rows: SHOP.rows.filter(([, table]) => table !== 'orders') };
    expect(await harvest()).toMatchObject({ state: 'FINISHED', tables_absent: 1 });
    expect(await tables()).toEqual(ALL.map((name) => (name === 'sales.orders' ? 'sales.orders absent' : name)));
    shop = SHOP;
    expect(await harvest()).toMatchObject({ state: 'FINISHED', tables_absent: 0 });
    expect(await tables()).toEqual(ALL);
  });
});
