import { afterAll, beforeAll } from '@jest/globals';
import { type CuttingProxy, startCuttingProxy } from '@sluice/testkit';
import { TRINO_URL } from '@sluice/testkit/hosts';
import { makeTrinoTables, SCHEMA, TRINO_CATALOG } from './client-tables.ts';
import { describeFaults } from './describe-faults.ts';

let tables: AsyncDisposable;
let proxy: CuttingProxy;
beforeAll(async () => {
  tables = await makeTrinoTables(TRINO_URL);
  proxy = await startCuttingProxy(TRINO_URL);
}, 120_000);
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await tables?.[Symbol.asyncDispose]();
});

describeFaults('trino', () => ({
  proxy,
  target: { url: proxy.url, user: 'ann@acme.example', catalog: TRINO_CATALOG, schema: SCHEMA },
}));
