import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase, until } from '@sluice/testkit';
import pg from 'pg';
import { createDatabase, type Database } from '../database/database.ts';
import { createTenantStore } from '../identity/tenant-store.ts';
import { createSearchCounter, type UncountedSearch } from './search-counter.ts';
import { createSearchStore } from './search-store.ts';

const NOTHING = { label: 'test', columns: 'null as nothing', joins: '' };
const PAGE = { sort: 'updated', isDescending: true, from: 0, size: 10 } as const;
const GATE = 720_581_201;

let testDatabase: TestDatabase;
let database: Database;
let tenantId: string;
/** Bypasses row-level security. While it holds the lock, counting does not end. */
let superuser: pg.Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = createDatabase({ url: testDatabase.apiUrl });
  tenantId = (await createTenantStore(database).create({ name: 'acme' })).id;
  superuser = new pg.Client({ connectionString: testDatabase.superuserUrl });
  await superuser.connect();
  await superuser.query(`
    create or replace function search_count(wanted_type text, wanted_audience text, wanted tsquery) returns bigint
      language plpgsql stable security definer set search_path = pg_catalog, public as $body$
    begin
      perform pg_advisory_lock_shared(${GATE});
      perform pg_advisory_unlock_shared(${GATE});
      return 7;
    end $body$`);
}, 120_000);
afterAll(async () => {
  await superuser.end();
  await database[Symbol.asyncDispose]();
  await testDatabase.dispose();
});

const blockCounting = () => superuser.query('select pg_advisory_lock($1)', [GATE]);
const unblockCounting = () => superuser.query('select pg_advisory_unlock_all()');

/** Search for everything of a type, which no other test counts. */
const searchAll = (type: string): UncountedSearch => ({
  tenantId,
  type,
  audience: 'all',
  tiers: null,
  values: [type, null, null, null, PAGE.sort, PAGE.isDescending, PAGE.from, PAGE.size],
});

async function waitForStoredCount(type: string): Promise<void> {
  for (const giveUpAt = performance.now() + 30_000; performance.now() < giveUpAt; await wait(20)) {
    const { rowCount } = await superuser.query('select 1 from search_counts where type = $1', [type]);
    if (rowCount === 1) return;
  }
  throw new Error(`There is no count of ${type}`);
}

describe('a count that takes longer than its search waits', () => {
  it('fails the search with a retry hint, continues, and is available to the retry', async () => {
    await using counting = createDatabase({ url: testDatabase.apiUrl, queryTimeoutMs: 60_000 });
    const count = createSearchCounter(counting, 50);
    await blockCounting();
    await expect(count(searchAll('DATAMAP'))).rejects.toMatchObject({
      code: 'service_unavailable',
      retryAfterSeconds: 5,
    });
    await unblockCounting();
    await waitForStoredCount('DATAMAP');
    await blockCounting();
    const searches = createSearchStore({ database, counting }, { DATAMAP: NOTHING, TABLE: NOTHING, VIEW: NOTHING });
    const search = { tenantId, type: 'DATAMAP', account: null, searchText: undefined, ...PAGE } as const;
    expect((await searches.search(search)).total).toBe(7);
    await unblockCounting();
  });

  it('and longer than its time limit is given up, and starts again for the next search', async () => {
    await using counting = createDatabase({ url: testDatabase.apiUrl, queryTimeoutMs: 500 });
    const count = createSearchCounter(counting);
    await blockCounting();
    await expect(count(searchAll('TABLE'))).rejects.toMatchObject({ code: 'service_unavailable' });
    await unblockCounting();
    await count(searchAll('TABLE'));
    await waitForStoredCount('TABLE');
  });

  it('that no search waits for any more ends silently', async () => {
    await using counting = createDatabase({ url: testDatabase.apiUrl, queryTimeoutMs: 500 });
    const count = createSearchCounter(counting, 50);
    await blockCounting();
    await expect(count(searchAll('VIEW'))).rejects.toMatchObject({ retryAfterSeconds: 5 });
    // A connection that is being opened counts as used, so the wait does not end before the count has begun.
    await until(async () => (counting.connections().used + (await runningCounts()) === 0 ? true : undefined), {
      what: 'the end of the count',
    });
    await unblockCounting();
  });
});

async function runningCounts(): Promise<number> {
  const { rows } = await superuser.query<{ n: string }>(
    `select count(*) as n from pg_locks where locktype = 'advisory' and not granted and objid = ${GATE}`,
  );
  return Number(rows[0]?.n);
}
