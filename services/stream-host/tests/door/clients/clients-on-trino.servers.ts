import { afterAll, beforeAll } from '@jest/globals';
import { TRINO_URL } from '@sluice/testkit/hosts';
import { makeTrinoTables } from './client-tables.ts';
import { describeClients } from './describe-clients.ts';
import { TRINO_TARGET } from './trino-target.ts';

let tables: AsyncDisposable;
beforeAll(async () => {
  tables = await makeTrinoTables(TRINO_URL);
}, 120_000);
afterAll(async () => await tables?.[Symbol.asyncDispose]());

describeClients('trino', () => TRINO_TARGET);
