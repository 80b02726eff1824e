import { afterAll, beforeAll } from '@jest/globals';
import { TRINO_URL } from '@sluice/testkit/hosts';
import { makeTrinoTables, SCHEMA, TRINO_CATALOG } from './client-tables.ts';
import { describeClients } from './describe-clients.ts';

let tables: AsyncDisposable;
beforeAll(async () => {
  tables = await makeTrinoTables(TRINO_URL);
}, 120_000);
afterAll(async () => await tables?.[Symbol.asyncDispose]());

/** Trino takes any name without a password. It has the form of the names of users. */
describeClients('trino', () => ({
  url: TRINO_URL,
  user: 'ann@acme.example',
  catalog: TRINO_CATALOG,
  schema: SCHEMA,
}));
