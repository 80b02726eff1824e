import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@sluice/testkit';
import { createDatabase, type Database } from '../database/database.ts';
import { createTenantStore } from '../identity/tenant-store.ts';
import { createHostStore } from './host-store.ts';
import { createWaitingQueryStore, type WaitingQueryRow, type WaitingQueryStore } from './waiting-query-store.ts';

const hostId = randomUUID();
let test: TestDatabase;
let stream: Database;
let waiting: WaitingQueryStore;
let tenantId: string;
beforeAll(async () => {
  test = await createTestDatabase();
  await using api = createDatabase({ url: test.apiUrl });
  tenantId = (await createTenantStore(api).create({ name: 'acme' })).id;
  stream = createDatabase({ url: test.streamUrl });
  waiting = createWaitingQueryStore(stream);
  await createHostStore(stream).register({ id: hostId, service: 'stream' });
}, 120_000);
afterAll(async () => {
  await stream[Symbol.asyncDispose]();
  await test.dispose();
});

/** Announces a query that waits. */
async function announce(): Promise<WaitingQueryRow> {
  const account = { tenantId, accountKind: 'user', accountId: randomUUID() } as const;
  const of = { userName: 'ann@acme.example', action: 'RUN_QUERY', sql: 'SELECT 1' };
  const query = { ...account, ...of, queryId: randomUUID(), sinceMs: Date.now() };
  await waiting.update({ hostId, added: [query], removed: [] });
  return query;
}

describe('a query that waits for a worker', () => {
  it.each([
    ['is cancelled', undefined, null],
    ['is killed without a message', '', ''],
    ['is killed with a message', 'it was too slow', 'it was too slow'],
  ])('%s on its own host, once another host has requested it', async (_what, message, expected) => {
    const { queryId } = await announce();
    expect(await waiting.find(tenantId, queryId)).toMatchObject({ queryId, sql: 'SELECT 1' });
    const due = () => waiting.update({ hostId, added: [], removed: [] });
    expect(await due()).toEqual([]);
    await waiting.requestCancel(tenantId, queryId, message);
    expect(await due()).toEqual([{ queryId, byAdmin: false, killMessage: expected }]);
    await waiting.update({ hostId, added: [], removed: [queryId] });
    expect(await waiting.find(tenantId, queryId)).toBeUndefined();
  });
});
