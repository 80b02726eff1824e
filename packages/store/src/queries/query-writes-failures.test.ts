import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabaseProxy, createTestDatabase, type TestDatabase, until } from '@sluice/testkit';
import { auditRows, codesOf, endOf, newQueries, newQuery, storedOf } from '../../testing/stored-queries.ts';
import { createDatabase, type Database } from '../database/database.ts';
import { createTenantStore } from '../identity/tenant-store.ts';
import { createQueryStore, type QueryStore } from './query-store.ts';
import type { NewQuery } from './query-writes.ts';

let test: TestDatabase;
let stream: Database;
let superuser: Database;
let acme: string;

beforeAll(async () => {
  test = await createTestDatabase();
  stream = createDatabase({ url: test.streamUrl });
  superuser = createDatabase({ url: test.superuserUrl, poolMax: 4, queryTimeoutMs: 20_000 });
  await using api = createDatabase({ url: test.apiUrl, poolMax: 1 });
  acme = (await createTenantStore(api).create({ name: 'acme' })).id;
}, 120_000);
afterAll(async () => {
  await superuser[Symbol.asyncDispose]();
  await stream[Symbol.asyncDispose]();
  await test.dispose();
});

/** Blocks all writes of queries while `work` runs. */
const whileBlocked = (work: () => Promise<void>) =>
  superuser.withoutTenant(async (transaction) => {
    await transaction.query('lock table queries in exclusive mode');
    await work();
  });

/** Resolves when this many server processes of this database wait for a lock. */
const waitingServers = async (count: number): Promise<number[]> => {
  for (;;) {
    const rows = await superuser.withoutTenant((transaction) =>
      transaction.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      ),
    );
    if (rows.length === count) return rows.map(({ pid }) => pid);
    await wait(10);
  }
};

/** Opens a connection, which takes longer than the short timeout of a test on a busy machine. */
const untilConnected = (queries: QueryStore): Promise<boolean> =>
  until(
    () =>
      queries.find(acme, randomUUID()).then(
        () => true,
        () => undefined,
      ),
    { what: 'a connection' },
  );

describe('a batch', () => {
  it.each([
    ['a NUL in its SQL', { sql: 'select \0' }, 'invalid_request'],
    ['a lone surrogate in its SQL', { sql: 'select \ud800' }, 'invalid_request'],
    ['no account', { accountId: 'nobody' }, 'invalid_request'],
    ['no user', { user: null as never }, 'audit_unavailable'],
  ])('that contains a query with %s loses only that query', async (_name, bad, code) => {
    const queries = createQueryStore(stream);
    const all = [
      ...newQueries(3, { tenantId: acme }),
      newQuery({ tenantId: acme, ...bad }),
      ...newQueries(3, { tenantId: acme }),
    ];
    expect(await codesOf(all.map((query) => queries.begin(query)))).toEqual(
      all.map((_query, index) => (index === 3 ? code : 'done')),
    );
    const stored = await storedOf(superuser, all);
    expect(stored.map(({ query_id }) => query_id)).toEqual(all.toSpliced(3, 1).map(({ queryId }) => queryId));
    expect(await auditRows(superuser, all)).toBe(6);
  });

  it('that contains the same query twice begins it once, and ends it once', async () => {
    const queries = createQueryStore(stream);
    const [other, twice] = newQueries(2, { tenantId: acme }) as [NewQuery, NewQuery];
    const begun = await codesOf([other, twice, twice].map((query) => queries.begin(query)));
    expect(begun.toSorted()).toEqual(['audit_unavailable', 'done', 'done']);
    const ends = await Promise.all([other, twice, twice].map((query) => queries.finish(endOf(query))));
    expect(ends.filter(Boolean)).toHaveLength(2);
    expect((await storedOf(superuser, [other, twice])).map(({ records, outcomes }) => [records, outcomes])).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(await auditRows(superuser, [other, twice])).toBe(4);
  });

  it('that contains an end that cannot be stored loses only that end', async () => {
    const queries = createQueryStore(stream);
    const all = newQueries(4, { tenantId: acme });
    await Promise.all(all.map((query) => queries.begin(query)));
    const works = all.map((query, index) => queries.finish(endOf(query, { sha256: index === 2 ? '\0' : 'ab' })));
    expect(await codesOf(works)).toEqual(['done', 'done', 'invalid_request', 'done']);
    expect((await storedOf(superuser, all)).map(({ state }) => state)).toEqual([
      'FINISHED',
      'FINISHED',
      'RUNNING',
      'FINISHED',
    ]);
    expect(await auditRows(superuser, all)).toBe(7);
  });

  it('whose connection is closed in flight fails as a whole, leaves nothing behind, and the next one is served', async () => {
    const queries = createQueryStore(stream);
    const all = newQueries(20, { tenantId: acme });
    let codes: Promise<string[]> | undefined;
    await whileBlocked(async () => {
      codes = codesOf(all.map((query) => queries.begin(query)));
      for (const pid of await waitingServers(2)) {
        await superuser.withoutTenant((transaction) => transaction.query('select pg_terminate_backend($1)', [pid]));
      }
      expect(await codes).toEqual(all.map(() => 'audit_unavailable'));
    });
    expect([await storedOf(superuser, all), await auditRows(superuser, all)]).toEqual([[], 0]);
    await Promise.all(all.map((query) => queries.begin(query)));
    expect(await auditRows(superuser, all)).toBe(20);
  });

  it('that takes too long fails as a whole and leaves nothing behind, and its queries can be ended later', async () => {
    await using impatient = createDatabase({ url: test.streamUrl, queryTimeoutMs: 700 });
    const [queries, patient] = [createQueryStore(impatient), createQueryStore(stream)];
    const [begun, late] = [newQueries(20, { tenantId: acme }), newQueries(20, { tenantId: acme })];
    await Promise.all(begun.map((query) => patient.begin(query)));
    await whileBlocked(async () => {
      const works = [
        ...late.map((query) => queries.begin(query)),
        ...begun.map((query) => queries.finish(endOf(query))),
      ];
      expect(await codesOf(works)).toEqual(works.map(() => 'audit_unavailable'));
      await waitingServers(0);
    });
    expect([await storedOf(superuser, late), await auditRows(superuser, late)]).toEqual([[], 0]);
    expect((await storedOf(superuser, begun)).map(({ state, outcomes }) => [state, outcomes])).toEqual(
      begun.map(() => ['RUNNING', 0]),
    );
    expect(await Promise.all(begun.map((query) => patient.finish(endOf(query))))).toEqual(begun.map(() => true));
  });

  it('whose commit was not confirmed is reported as failed, and is neither lost nor duplicated', async () => {
    await using proxy = await createDatabaseProxy(test.streamUrl);
    await using unsure = createDatabase({ url: proxy.url, queryTimeoutMs: 500, connectTimeoutMs: 500 });
    const queries = createQueryStore(unsure);
    const all = [
      newQuery({ tenantId: acme }),
      newQuery({ tenantId: acme, sql: 'select 3 as unheard_begin' }),
      newQuery({ tenantId: acme }),
    ];
    await untilConnected(queries);
    proxy.muteAtCommitOf('unheard_begin');
    const [, ...begun] = await codesOf(all.map((query) => queries.begin(query)));
    expect(begun).toEqual(['audit_unavailable', 'audit_unavailable']);
    expect((await storedOf(superuser, all)).map(({ records }) => records)).toEqual([1, 1, 1]);
    proxy.restore();
    await untilConnected(queries);
    proxy.muteAtCommitOf('unheard_end');
    const ends = all.map((query) => endOf(query, { sha256: 'unheard_end' }));
    const codes = await codesOf(ends.map((end) => queries.finish(end)));
    expect(codes).toEqual(ends.map(() => 'audit_unavailable'));
    proxy.restore();
    const again = await Promise.all(ends.map((end) => queries.finish(end)));
    expect(again[0]).toBe(false);
    expect((await storedOf(superuser, all)).map(({ state, outcomes }) => [state, outcomes])).toEqual(
      all.map(() => ['FINISHED', 1]),
    );
    expect(await auditRows(superuser, all)).toBe(6);
  });

  it('that is in flight when the pool is closed settles every write', async () => {
    const closing = createDatabase({ url: test.streamUrl });
    const queries = createQueryStore(closing);
    const all = newQueries(20, { tenantId: acme });
    const answers = codesOf(all.map((query) => queries.begin(query)));
    await closing[Symbol.asyncDispose]();
    const codes = await answers;
    const stored = new Set((await storedOf(superuser, all)).map(({ query_id }) => query_id));
    expect(codes).toEqual(all.map(({ queryId }) => (stored.has(queryId) ? 'done' : 'audit_unavailable')));
  });
});
