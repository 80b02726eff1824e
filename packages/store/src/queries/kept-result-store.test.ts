import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@sluice/testkit';
import { endOf, newQuery } from '../../testing/stored-queries.ts';
import { createDatabase, type Database } from '../database/database.ts';
import { createTenantStore } from '../identity/tenant-store.ts';
import { createHostStore } from './host-store.ts';
import { createKeptResultStore, type KeptResultStore } from './kept-result-store.ts';
import { createQueryStore } from './query-store.ts';

let test: TestDatabase;
let stream: Database;
let kept: KeptResultStore;
let tenantIds: readonly [string, string];
const liveHost = randomUUID();

beforeAll(async () => {
  test = await createTestDatabase();
  await using api = createDatabase({ url: test.apiUrl });
  const tenants = createTenantStore(api);
  tenantIds = [(await tenants.create({ name: 'acme' })).id, (await tenants.create({ name: 'globex' })).id];
  stream = createDatabase({ url: test.streamUrl });
  kept = createKeptResultStore(stream);
  await createHostStore(stream).register({ id: liveHost, service: 'stream' });
}, 120_000);
afterAll(async () => {
  await stream[Symbol.asyncDispose]();
  await test.dispose();
});

const newResult = (change: Partial<Parameters<KeptResultStore['begin']>[0]> = {}) => ({
  tenantId: tenantIds[0],
  queryId: randomUUID(),
  accountKind: 'user' as const,
  accountId: randomUUID(),
  hostId: liveHost,
  keepMs: 3_600_000,
  wrappedKey: randomBytes(60),
  requestKey: randomBytes(32),
  tenantBytesMax: 1_000_000_000,
  ...change,
});

/** Records a complete run of a query. */
async function finishQuery({ tenantId, queryId }: { tenantId: string; queryId: string }): Promise<void> {
  const queries = createQueryStore(stream);
  const query = newQuery({ tenantId, queryId });
  await queries.begin(query);
  await queries.finish(endOf(query));
}

async function keep(
  change: Parameters<typeof newResult>[0] & { readonly bytes?: number } = {},
): Promise<ReturnType<typeof newResult>> {
  const { bytes = 100, ...rest } = change;
  const result = newResult(rest);
  expect(await kept.begin(result)).toBeGreaterThan(0);
  expect(await kept.finish({ ...result, rows: 7, bytes, sha256: 'ab' })).toBeInstanceOf(Date);
  await finishQuery(result);
  return result;
}

describe('a kept result', () => {
  it('can be found only when it is complete, by its own tenant, until it expires or is removed', async () => {
    const result = newResult();
    await kept.begin(result);
    expect(await kept.find(result)).toBeUndefined();
    const expires = await kept.finish({ ...result, rows: 7, bytes: 100, sha256: 'ab' });
    expect(await kept.find(result)).toBeUndefined();
    await finishQuery(result);
    const { accountId, accountKind, wrappedKey } = result;
    const found = { rows: 7, bytes: 100, sha256: 'ab', expires, accountId, accountKind, wrappedKey };
    expect(await kept.find(result)).toEqual(found);
    expect(await kept.find({ ...result, tenantId: tenantIds[1] })).toBeUndefined();
    expect(await kept.find({ ...result, queryId: 'no uuid' })).toBeUndefined();

    expect(await kept.remove({ ...result, tenantId: tenantIds[1] })).toBe(false);
    expect(await kept.remove(result)).toBe(true);
    expect(await kept.remove(result)).toBe(false);
    expect(await kept.find(result)).toBeUndefined();

    const short = await keep({ keepMs: -1 });
    expect(await kept.find(short)).toBeUndefined();
  });

  it('is written once', async () => {
    const result = await keep();
    expect(await kept.begin({ ...result, wrappedKey: randomBytes(60) })).toBeUndefined();
    expect(await kept.finish({ ...result, rows: 8, bytes: 1, sha256: 'cd' })).toBeUndefined();
    expect((await kept.find(result))?.rows).toBe(7);
  });

  it('counts against the limit of its tenant until it is removed or has expired', async () => {
    const tenantId = tenantIds[1];
    const first = await keep({ tenantId, bytes: 600, tenantBytesMax: 1_000 });
    const second = newResult({ tenantId, tenantBytesMax: 1_000 });
    expect(await kept.begin(second)).toBe(400);
    const written = { ...second, rows: 1, sha256: 'ab' };
    expect(await kept.finish({ ...written, bytes: 401 })).toBeUndefined();
    expect(await kept.finish({ ...written, bytes: 400 })).toBeInstanceOf(Date);
    expect(await kept.begin(newResult({ tenantId, tenantBytesMax: 1_000 }))).toBeUndefined();
    await kept.remove(first);
    expect(await kept.begin(newResult({ tenantId, tenantBytesMax: 1_000 }))).toBe(600);
    expect(await kept.begin(newResult({ tenantBytesMax: 0 }))).toBeUndefined();
  });

  it('never exceeds the limit when several end at once', async () => {
    await using api = createDatabase({ url: test.apiUrl });
    const tenantId = (await createTenantStore(api).create({ name: 'initech' })).id;
    const results = Array.from({ length: 8 }, () => newResult({ tenantId, tenantBytesMax: 1_000 }));
    await Promise.all(results.map((result) => kept.begin(result)));
    const ended = await Promise.all(
      results.map((result) => kept.finish({ ...result, rows: 1, bytes: 300, sha256: 'ab' })),
    );
    expect(ended.filter((expires) => expires !== undefined)).toHaveLength(3);
  });

  it('is found by its request while it can be read, by its own account, the newest first', async () => {
    const requestKey = randomBytes(32);
    const { tenantId, accountKind, accountId } = newResult();
    const wanted = { tenantId, accountKind, accountId, requestKey, ageMaxMs: 3_600_000 };
    const older = await keep({ accountId, requestKey });
    expect(await kept.findReusable(wanted)).toBe(older.queryId);
    const newer = await keep({ accountId, requestKey });
    expect(await kept.findReusable(wanted)).toBe(newer.queryId);
    await kept.begin(newResult({ accountId, requestKey })); // it is being written
    await keep({ accountId, requestKey, keepMs: -1 });
    expect(await kept.findReusable(wanted)).toBe(newer.queryId);
    await kept.remove(newer);
    expect(await kept.findReusable(wanted)).toBe(older.queryId);
    for (const other of [
      { requestKey: randomBytes(32) },
      { accountId: randomUUID() },
      { accountKind: 'client' as const },
      { tenantId: tenantIds[1] },
      { ageMaxMs: 0 },
    ])
      expect(await kept.findReusable({ ...wanted, ...other })).toBeUndefined();
  });

  it('knows when its account last asked for it while it is written', async () => {
    const hostId = randomUUID();
    const written = newResult({ hostId });
    await kept.begin(written);
    expect(await kept.listAsked(hostId)).toEqual([]);
    for (const other of [{ accountId: randomUUID() }, { tenantId: tenantIds[1] }, { queryId: 'no uuid' }])
      expect(await kept.ask({ ...written, ...other })).toBe(false);
    expect(await kept.listAsked(hostId)).toEqual([]);
    expect(await kept.ask(written)).toBe(true);
    const [asked] = await kept.listAsked(hostId);
    expect(asked?.queryId).toBe(written.queryId);
    expect(asked?.agoMs).toBeGreaterThanOrEqual(0);
    expect(await kept.listAsked(liveHost)).toEqual([]);
    await kept.remove(written);
    expect([await kept.ask(written), await kept.listAsked(hostId)]).toEqual([false, []]);
  });

  it('loses its key when it expires or its host is lost, and its row when its bytes are gone', async () => {
    const [expired, lost, alive, running] = [
      await keep({ keepMs: -1 }),
      newResult({ hostId: randomUUID() }),
      await keep(),
      newResult(),
    ];
    await kept.begin(lost);
    await kept.begin(running);
    await kept.removeDue();
    const removed = (await kept.listRemoved(1_000)).map(({ queryId }) => queryId);
    expect(removed).toEqual(expect.arrayContaining([expired.queryId, lost.queryId]));
    expect(removed).not.toContain(alive.queryId);
    expect(removed).not.toContain(running.queryId);
    const keys = await stream.withTenant(tenantIds[0], (transaction) =>
      transaction.query('select 1 from kept_results where query_id = any ($1) and wrapped_key is not null', [
        [expired.queryId, lost.queryId],
      ]),
    );
    expect(keys).toEqual([]);
    expect(await kept.finish({ ...lost, rows: 1, bytes: 1, sha256: 'ab' })).toBeUndefined();

    expect(await kept.findUnknown([expired, alive])).toEqual([]);
    await kept.forget(expired);
    await kept.forget(alive); // it is not removed, so this has no effect
    const { tenantId, queryId } = expired;
    expect(await kept.findUnknown([expired, alive])).toEqual([{ tenantId, queryId }]);
  });
});
