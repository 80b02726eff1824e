import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@sluice/testkit';
import pg from 'pg';
import { createDatabase, type Database } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { createTenantStore } from '../identity/tenant-store.ts';
import { refreshSearch } from './refresh-search.ts';
import type { FactSearch, SearchStore } from './search-store.ts';
import { createSearchStore } from './search-store.ts';

/** Enough matches that they are walked in order and their count is kept, instead of fetching and sorting them. */
const MANY = 700;
const OWNER = randomUUID();
const OTHER_USER = randomUUID();
const NOTHING = { label: 'test', columns: 'null as nothing', joins: '' };

let testDatabase: TestDatabase;
let database: Database;
let searches: SearchStore;
let tenantId: string;
let otherTenantId: string;

interface SampleFact {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly isPublic: boolean;
  readonly queries: number;
}
const made: SampleFact[] = [];

const insert = async (transaction: Transaction, tenant: string, entries: readonly SampleFact[]): Promise<void> => {
  const rows = JSON.stringify(entries);
  await transaction.query(
    `insert into facts (tenant_id, fact_id, type, description)
     select $1, id, 'DATAMAP', description from jsonb_to_recordset($2) r (id uuid, description text)`,
    [tenant, rows],
  );
  await transaction.query(
    `insert into datamaps (tenant_id, fact_id, name, display_name, state, owner_kind, owner_id, owner_name, created_by)
     select $1, id, name, name, case when "isPublic" then 'PUBLISHED' else 'DRAFT' end, 'user', $3, 'o', 'o'
     from jsonb_to_recordset($2) r (id uuid, name text, "isPublic" boolean)`,
    [tenant, rows, OWNER],
  );
  await transaction.query(
    `insert into fact_counters (tenant_id, fact_id, query_count)
     select $1, id, queries from jsonb_to_recordset($2) r (id uuid, queries bigint)`,
    [tenant, rows],
  );
  const ids = entries.map(({ id }) => id);
  await refreshSearch(transaction, tenant, ids);
};

const entry = (index: number): SampleFact => ({
  id: randomUUID(),
  name: index % 3 === 0 ? `flights ${index}` : `delays ${index}`,
  description: index % 5 === 0 ? 'of no interest' : `about flights and airports`,
  isPublic: index % 4 !== 0,
  queries: index % 17,
});

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = createDatabase({ url: testDatabase.apiUrl, queryTimeoutMs: 60_000 });
  searches = createSearchStore({ database, counting: database }, { DATAMAP: NOTHING, TABLE: NOTHING, VIEW: NOTHING });
  tenantId = (await createTenantStore(database).create({ name: 'acme' })).id;
  otherTenantId = (await createTenantStore(database).create({ name: 'globex' })).id;
  for (let index = 0; index < MANY; index += 1) made.push(entry(index));
  await database.withTenant(tenantId, (transaction) => insert(transaction, tenantId, made));
  const otherTenantFacts = Array.from({ length: 300 }, (_, index) => entry(index));
  await database.withTenant(otherTenantId, (transaction) => insert(transaction, otherTenantId, otherTenantFacts));
}, 120_000);
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await testDatabase.dispose();
});

const DEFAULTS = {
  type: 'DATAMAP',
  account: null,
  searchText: undefined,
  sort: 'relevance',
  isDescending: true,
  from: 0,
  size: 10,
} as const satisfies Omit<FactSearch, 'tenantId'>;

const find = async (wish: Partial<FactSearch> = {}) => {
  const page = await searches.search({ tenantId, ...DEFAULTS, ...wish });
  return { total: page.total, ids: page.hits.map(({ fact_id }) => fact_id) };
};

const finds = ({ name, description }: SampleFact): boolean => `${name} ${description}`.includes('flights');

/** Expected result of a search for `flights`, in plain code. */
const expected = (account: string | null, compare: (a: SampleFact, b: SampleFact) => number): string[] =>
  made
    .filter((each) => finds(each) && (account === null || each.isPublic || account === OWNER))
    .sort(compare)
    .map(({ id }) => id);

const tierOf = ({ name }: SampleFact): number => (name.includes('flights') ? 2 : 5);
const byId = (a: SampleFact, b: SampleFact): number => (a.id < b.id ? 1 : -1);
const byRelevance = (a: SampleFact, b: SampleFact): number =>
  tierOf(a) - tierOf(b) || b.queries - a.queries || byId(a, b);
const byName = (a: SampleFact, b: SampleFact): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : -byId(a, b));
const byQueries = (a: SampleFact, b: SampleFact): number => b.queries - a.queries || byId(a, b);

describe('a search with many matches', () => {
  it.each([
    ['everything', null],
    ['its own and public records', OWNER],
    ['public records', OTHER_USER],
  ])(
    'returns each match once to an account that sees %s, in the order of plain code, page by page',
    async (_name, account) => {
      for (const [sort, isDescending, compare] of [
        ['relevance', true, byRelevance],
        ['relevance', false, (a: SampleFact, b: SampleFact) => byRelevance(b, a)],
        ['sort_name', false, byName],
        ['sort_name', true, (a: SampleFact, b: SampleFact) => byName(b, a)],
        ['query_count', true, byQueries],
        ['query_count', false, (a: SampleFact, b: SampleFact) => byQueries(b, a)],
      ] as const) {
        const ids = expected(account, compare);
        const found: string[] = [];
        for (let from = 0; from < ids.length; from += 100) {
          const page = await find({ searchText: 'flights', account, sort, isDescending, from, size: 100 });
          expect(page.total).toBe(ids.length);
          found.push(...page.ids);
        }
        expect([sort, isDescending, found]).toEqual([sort, isDescending, ids]);
        expect((await find({ searchText: 'flights', account, sort, isDescending, size: 10_000 })).ids).toEqual(ids);
        expect((await find({ searchText: 'flights', account, sort, isDescending, from: ids.length })).ids).toEqual([]);
      }
    },
  );

  it('neither repeats nor misses a record while other transactions change values that do not affect its order', async () => {
    const found: string[] = [];
    for (let from = 0; from < MANY; from += 50) {
      const page = await find({ sort: 'sort_name', isDescending: false, from, size: 50 });
      found.push(...page.ids);
      await database.withTenant(tenantId, async (transaction) => {
        const changed = made.slice(from, from + 20).map(({ id }) => id);
        await transaction.query(
          'update facts set updated = clock_timestamp(), version = version + 1 where tenant_id = $1 and fact_id = any($2)',
          [tenantId, changed],
        );
        await refreshSearch(transaction, tenantId, changed);
      });
    }
    expect(found).toEqual([...made].sort(byName).map(({ id }) => id));
  });

  it('finds nothing of another tenant with the same words', async () => {
    const other = await searches.search({ tenantId: otherTenantId, ...DEFAULTS, searchText: 'flights', size: 10_000 });
    expect(other.total).toBeGreaterThan(200);
    const own = new Set(made.map(({ id }) => id));
    expect(other.hits.filter(({ fact_id }) => own.has(fact_id))).toEqual([]);
  });
});

describe('a kept count', () => {
  it('is exact at every moment: before, during and after other writes, and whether or not it was updated', async () => {
    const total = async (account: string | null) => (await find({ searchText: 'flights', account })).total;
    const [all, open] = [await total(null), await total(OTHER_USER)];
    const writer = new pg.Client({ connectionString: testDatabase.ownerUrl });
    await writer.connect();
    const secret = { ...entry(0), id: randomUUID(), isPublic: false };
    const shown = { ...entry(0), id: randomUUID(), isPublic: true };
    await writer.query('begin');
    await insert({ query: async (text, values) => (await writer.query(text, [...(values ?? [])])).rows }, tenantId, [
      secret,
      shown,
    ]);
    // Uncommitted changes are not counted, not even by an update of the counts at this moment.
    await searches.updateCounts();
    expect([await total(null), await total(OTHER_USER)]).toEqual([all, open]);
    await writer.query('commit');
    await writer.end();
    expect([await total(null), await total(OTHER_USER)]).toEqual([all + 2, open + 1]);
    await searches.updateCounts();
    expect([await total(null), await total(OTHER_USER)]).toEqual([all + 2, open + 1]);

    await database.withTenant(tenantId, async (transaction) => {
      await transaction.query(`update datamaps set state = 'DRAFT' where tenant_id = $1 and fact_id = $2`, [
        tenantId,
        shown.id,
      ]);
      await refreshSearch(transaction, tenantId, [shown.id]);
    });
    expect([await total(null), await total(OTHER_USER), await total(OWNER)]).toEqual([all + 2, open, all + 2]);
    await database.withTenant(tenantId, (transaction) =>
      transaction.query('delete from facts where tenant_id = $1 and fact_id = any($2)', [
        tenantId,
        [secret.id, shown.id],
      ]),
    );
    expect([await total(null), await total(OTHER_USER)]).toEqual([all, open]);
    await searches.updateCounts();
    expect([await total(null), await total(OTHER_USER), (await find()).total]).toEqual([all, open, MANY]);
  });

  it('does not see the changes of a transaction that is rolled back', async () => {
    const { total } = await find({ searchText: 'flights' });
    const failed = database.withTenant(tenantId, async (transaction) => {
      await insert(transaction, tenantId, [{ ...entry(0), id: randomUUID() }]);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect((await find({ searchText: 'flights' })).total).toBe(total);
  });
});

describe('a kept count of entries that change all the time', () => {
  /** Hides and shows every entry again, this many times. Each time records the state before and after. */
  const toggleVisibility = async (times: number): Promise<void> => {
    const owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
    await owner.connect();
    for (let index = 0; index < 2 * times; index += 1) {
      await owner.query('update search_entries set is_public = not is_public where tenant_id = $1', [tenantId]);
    }
    await owner.end();
  };
  const storedCounts = async (): Promise<number> => {
    const owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
    await owner.connect();
    const { rows } = await owner.query<{ n: string }>('select count(*) as n from search_counts where tenant_id = $1', [
      tenantId,
    ]);
    await owner.end();
    return Number(rows[0]?.n);
  };
  const totals = async () =>
    Promise.all(
      [null, OTHER_USER, OWNER].map(async (account) => [
        (await find({ searchText: 'flights', account })).total,
        (await find({ searchText: 'fl', account, from: 300 })).total,
        (await find({ account })).total,
      ]),
    );

  it('is counted again when an update would take long, and stays exact', async () => {
    const before = await totals();
    await toggleVisibility(3);
    expect(await totals()).toEqual(before);
    await searches.updateCounts();
    expect(await totals()).toEqual(before);
  });

  it('is dropped when an update would take long, and counted again for the next search', async () => {
    const before = await totals();
    expect(await storedCounts()).toBeGreaterThan(5);
    await toggleVisibility(12);
    await searches.updateCounts();
    expect(await storedCounts()).toBe(0);
    expect(await totals()).toEqual(before);
    expect(await storedCounts()).toBeGreaterThan(5);
  });
});

describe('a typo', () => {
  it('is corrected without pg_trgm too, one letter per word', async () => {
    const superuser = new pg.Client({ connectionString: testDatabase.superuserUrl });
    await superuser.connect();
    expect((await find({ searchText: 'fliighhts' })).total).toBeGreaterThan(0);
    await superuser.query('drop extension pg_trgm cascade');
    await superuser.end();
    const { total } = await find({ searchText: 'flights' });
    for (const searchText of ['fligts', 'fllights', 'flighys', 'flihgts']) {
      expect([searchText, (await find({ searchText })).total]).toEqual([searchText, total]);
    }
    expect((await find({ searchText: 'fliighhts' })).total).toBe(0);
  });
});
