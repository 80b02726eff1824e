import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@sluice/testkit';
import { createDatabase, type Database } from '../database/database.ts';
import { createTenantStore } from '../identity/tenant-store.ts';
import { createMetadataImportStore } from './metadata-import-store.ts';

const CONNECTIONS = 8;

let test: TestDatabase;
let api: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  api = createDatabase({ url: test.apiUrl, poolMax: CONNECTIONS });
}, 120_000);
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await test.dispose();
});

it('concurrent imports of a tenant do not exceed its limit of open ones', async () => {
  const { id: tenantId } = await createTenantStore(api).create({ name: 'acme' });
  const imports = createMetadataImportStore(api);
  const sender = {
    kind: 'user',
    id: randomUUID(),
    name: 'ann@example.com',
    permissions: [],
    address: '127.0.0.1',
    userAgent: undefined,
  } as const;
  const open = () => imports.open({ tenantId, format: 'ndjson', sender, openMax: 3 });
  await Promise.all(
    Array.from({ length: CONNECTIONS }, () => api.withoutTenant((transaction) => transaction.query('select 1'))),
  );
  const opened = await Promise.all(Array.from({ length: CONNECTIONS }, open));
  expect(opened.filter((reference) => reference !== undefined)).toHaveLength(3);
});
