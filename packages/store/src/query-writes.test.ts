import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabaseProxy, createTestDatabase, type TestDatabase } from '@sluice/testkit';
import {
  createDatabase,
  createHostStore,
  createQueryStore,
  createTenantStore,
  type Database,
  type NewQuery,
  type QueryEnd,
} from './index.ts';

let test: TestDatabase;
let stream: Database;
let superuser: Database;
let acme: string;
let globex: string;

beforeAll(async () => {
  test = await createTestDatabase();
  stream = createDatabase({ url: test.streamUrl });
  superuser = createDatabase({ url: test.superuserUrl, poolMax: 4, queryTimeoutMs: 20_000 });
  await using api = createDatabase({ url: test.apiUrl, poolMax: 1 });
  acme = (await createTenantStore(api).create({ name: 'acme' })).id;
  globex = (await createTenantStore(api).create({ name: 'globex' })).id;
}, 120_000);
afterAll(async () => {
  await superuser[Symbol.asyncDispose]();
  await stream[Symbol.asyncDispose]();
  await test.dispose();
});

const newQuery = (changes: Partial<NewQuery> = {}): NewQuery => ({
  tenantId: acme,
  queryId: randomUUID(),
  accountKind: 'user',
  accountId: randomUUID(),
  user: 'ann@example.com',
  hostId: randomUUID(),
  sql: 'select 1',
  action: 'RUN_QUERY',
  target: 'query',
  metadata: { format: 'sse' },
  requestId: 'request-1',
  address: '127.0.0.1',
  ...changes,
});

const newQueries = (count: number, changes: Partial<NewQuery> = {}) =>
  Array.from({ length: count }, () => newQuery(changes));

const endOf = ({ tenantId, queryId }: NewQuery, changes: Partial<QueryEnd> = {}): QueryEnd => ({
  tenantId,
  queryId,
  state: 'FINISHED',
  rows: 3,
  bytes: 42,
  sha256: 'ab',
  limited: false,
  error: null,
  ...changes,
});

/** Counts the statements that go out. */
const counting = (database: Database) => {
  const counted = { statements: 0 };
  const run: Database['run'] = (...parts) => {
    counted.statements += 1;
    return database.run(...parts);
  };
  return { counted, queries: createQueryStore({ ...database, run }) };
};

interface StoredQuery {
  readonly query_id: string;
  readonly tenant_id: string;
  readonly sql: string;
  readonly state: string;
  readonly records: number;
  readonly outcomes: number;
  /** The transaction that wrote the row last. */
  readonly xmin: string;
}

/** What is stored of these, in their order, with the number of their audit records. */
const storedOf = async (queries: readonly NewQuery[]): Promise<StoredQuery[]> => {
  const ids = queries.map(({ queryId }) => queryId);
  return superuser.withoutTenant((transaction) =>
    transaction.query<StoredQuery>(
      `select q.query_id, q.tenant_id, q.sql, q.state, q.xmin::text,
        (select count(*)::int from audit_log a where a.query_id = q.query_id and a.tenant_id = q.tenant_id
          and a.record_id is null and a.id = q.audit_id and a.occurred = q.started and a.metadata ->> 'sql' = q.sql) as records,
        (select count(*)::int from audit_log a where a.query_id = q.query_id and a.tenant_id = q.tenant_id
          and a.record_id = q.audit_id and a.occurred = q.ended and a.metadata ->> 'state' = q.state) as outcomes
      from queries q where q.query_id = any ($1::uuid[]) order by array_position($1::uuid[], q.query_id)`,
      [ids],
    ),
  );
};

const auditRows = async (queries: readonly NewQuery[]) => {
  const text = 'select count(*)::int as count from audit_log where query_id = any ($1::uuid[])';
  const ids = queries.map(({ queryId }) => queryId);
  const [row] = await superuser.withoutTenant((transaction) => transaction.query<{ count: number }>(text, [ids]));
  return row?.count;
};

const codesOf = async (works: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(works)).map((settled) =>
    settled.status === 'fulfilled' ? 'done' : (Reflect.get(settled.reason, 'code') as string),
  );

/** Lets nobody write queries while `work` runs. */
const whileBlocked = (work: () => Promise<void>) =>
  superuser.withoutTenant(async (transaction) => {
    await transaction.query('lock table queries in exclusive mode');
    await work();
  });

/** The servers of this database that wait for a lock, as soon as so many do. */
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

describe('queries of one tenant at the same time', () => {
  it('begin in two commits, and end in two', async () => {
    const { counted, queries } = counting(stream);
    const all = newQueries(50);
    await Promise.all(all.map((query) => queries.begin(query)));
    expect(counted.statements).toBe(2);
    const begun = await storedOf(all);
    expect(new Set(begun.map(({ xmin }) => xmin)).size).toBe(2);
    expect(begun.map(({ state, records, outcomes }) => [state, records, outcomes])).toEqual(
      all.map(() => ['RUNNING', 1, 0]),
    );
    const ends = await Promise.all(all.map((query) => queries.finish(endOf(query))));
    expect([counted.statements, ends]).toEqual([4, all.map(() => true)]);
    const ended = await storedOf(all);
    expect(new Set(ended.map(({ xmin }) => xmin)).size).toBe(2);
    expect(ended.map(({ state, records, outcomes }) => [state, records, outcomes])).toEqual(
      all.map(() => ['FINISHED', 1, 1]),
    );
  });

  it('cost no more statements than before when they come one after the other', async () => {
    const { counted, queries } = counting(stream);
    for (const query of newQueries(3)) {
      await queries.begin(query);
      await queries.finish(endOf(query));
    }
    expect(counted.statements).toBe(6);
  });

  it('keep each its own words, whatever is in them', async () => {
    const { queries } = counting(stream);
    const texts = [`a'b`, 'c"d\\e', '{x,NULL}', 'NULL', '', 'ä😀\n\t', '$1; drop table queries --'];
    const all = [
      newQuery(),
      ...texts.map((sql) => newQuery({ sql, userAgent: sql, user: sql, sessionId: randomUUID() })),
    ];
    await Promise.all(all.map((query) => queries.begin(query)));
    const ends = all.map((query, index) =>
      endOf(query, {
        state: 'FAILED',
        rows: index,
        bytes: 2 ** 40 + index,
        sha256: index % 2 === 0 ? null : query.sql,
        limited: index % 2 === 0,
        error: { code: 'INTERNAL', message: query.sql },
      }),
    );
    expect(await Promise.all(ends.map((end) => queries.finish(end)))).toEqual(ends.map(() => true));
    for (const [index, end] of ends.entries()) {
      const found = await queries.find(acme, end.queryId);
      expect(found).toMatchObject({
        sql: all[index]?.sql,
        accountId: all[index]?.accountId,
        hostId: all[index]?.hostId,
      });
      const { state, rows, bytes, sha256, limited, error } = end;
      expect(found?.receipt).toMatchObject({ state, rows, bytes, sha256, limited, error });
    }
    expect((await storedOf(all)).map(({ records, outcomes }) => [records, outcomes])).toEqual(all.map(() => [1, 1]));
  });

  it('are listed in the order in which they came', async () => {
    const { queries } = counting(stream);
    const accountId = randomUUID();
    const all = newQueries(30, { accountId });
    await Promise.all(all.map((query) => queries.begin(query)));
    const listed = await queries.listRunning({ tenantId: acme, accountKind: 'user', accountId });
    // The first went out alone, and may be overtaken where its connection has to be opened.
    const ids = listed.map(({ query_id }) => query_id).filter((id) => id !== all[0]?.queryId);
    expect(ids).toEqual(all.slice(1).map(({ queryId }) => queryId));
  });

  it('are told each for itself whether somebody closed it before', async () => {
    const { queries } = counting(stream);
    const all = newQueries(6);
    await Promise.all(all.map((query) => queries.begin(query)));
    await Promise.all(all.slice(3).map((query) => queries.finish(endOf(query, { state: 'CANCELLED' }))));
    const unknown = newQuery();
    const ends = await Promise.all([...all, unknown].map((query) => queries.finish(endOf(query))));
    expect(ends).toEqual([true, true, true, false, false, false, false]);
    expect((await storedOf(all)).map(({ state, outcomes }) => [state, outcomes])).toEqual([
      ...Array.from({ length: 3 }, () => ['FINISHED', 1]),
      ...Array.from({ length: 3 }, () => ['CANCELLED', 1]),
    ]);
  });

  it('are closed once each, whether by their host or by the reaper', async () => {
    const { queries } = counting(stream);
    const all = newQueries(200);
    await Promise.all(all.map((query) => queries.begin(query)));
    const hosts = createHostStore(stream);
    const [reaped, ends] = await Promise.all([
      hosts.reapSilent(0),
      Promise.all(all.map((query) => queries.finish(endOf(query)))),
    ]);
    const stored = await storedOf(all);
    expect(stored.map(({ state }) => state === 'FINISHED')).toEqual(ends);
    expect(stored.map(({ outcomes }) => outcomes)).toEqual(all.map(() => 1));
    expect(reaped).toBeGreaterThanOrEqual(ends.filter((isOurs) => !isOurs).length);
    expect(await auditRows(all)).toBe(400);
  });
});

describe('queries of several tenants at the same time', () => {
  it('share no statement, and each tenant sees its own', async () => {
    const { counted, queries } = counting(stream);
    const all = Array.from({ length: 40 }, (_unused, index) => newQuery({ tenantId: index % 2 === 0 ? acme : globex }));
    await Promise.all(all.map((query) => queries.begin(query)));
    expect(counted.statements).toBe(4);
    expect((await storedOf(all)).map((row) => row.tenant_id)).toEqual(all.map(({ tenantId }) => tenantId));
    const [own, other] = [all[38], all[39]];
    expect(await queries.find(acme, own?.queryId ?? '')).toBeDefined();
    expect(await queries.find(acme, other?.queryId ?? '')).toBeUndefined();
    // Ends that name the other tenant close nothing of it.
    const strangers = all.map((query) => endOf(query, { tenantId: query.tenantId === acme ? globex : acme }));
    expect(await Promise.all(strangers.map((end) => queries.finish(end)))).toEqual(all.map(() => false));
    expect(await Promise.all(all.map((query) => queries.finish(endOf(query))))).toEqual(all.map(() => true));
  });

  it('wait only for their own: one that is blocked holds up no other', async () => {
    const { queries } = counting(stream);
    const [first, second, other] = [newQuery(), newQuery(), newQuery({ tenantId: globex })];
    await Promise.all([first, second, other].map((query) => queries.begin(query)));
    let blocked: Promise<boolean[]> | undefined;
    await superuser.withoutTenant(async (transaction) => {
      await transaction.query('select 1 from queries where query_id = $1 for update', [first.queryId]);
      blocked = Promise.all([queries.finish(endOf(first)), queries.finish(endOf(second))]);
      expect(await queries.finish(endOf(other))).toBe(true);
    });
    expect(await blocked).toEqual([true, true]);
  });
});

describe('a batch', () => {
  it.each([
    ['a NUL in its SQL', { sql: 'select \0' }, 'invalid_request'],
    ['a lone surrogate in its SQL', { sql: 'select \ud800' }, 'invalid_request'],
    ['no account', { accountId: 'nobody' }, 'invalid_request'],
    ['no user', { user: null as never }, 'audit_unavailable'],
  ])('with a query with %s loses that one alone', async (_name, bad, code) => {
    const { queries } = counting(stream);
    const all = [...newQueries(3), newQuery(bad), ...newQueries(3)];
    expect(await codesOf(all.map((query) => queries.begin(query)))).toEqual(
      all.map((_query, index) => (index === 3 ? code : 'done')),
    );
    const stored = await storedOf(all);
    expect(stored.map(({ query_id }) => query_id)).toEqual(all.toSpliced(3, 1).map(({ queryId }) => queryId));
    expect(await auditRows(all)).toBe(6);
  });

  it('with the same query twice begins it once, and ends it once', async () => {
    const { queries } = counting(stream);
    const [other, twice] = newQueries(2) as [NewQuery, NewQuery];
    const begun = await codesOf([other, twice, twice].map((query) => queries.begin(query)));
    expect(begun.toSorted()).toEqual(['audit_unavailable', 'done', 'done']);
    const ends = await Promise.all([other, twice, twice].map((query) => queries.finish(endOf(query))));
    expect(ends.filter(Boolean)).toHaveLength(2);
    expect((await storedOf([other, twice])).map(({ records, outcomes }) => [records, outcomes])).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(await auditRows([other, twice])).toBe(4);
  });

  it('whose end holds what cannot be stored loses that one alone', async () => {
    const { queries } = counting(stream);
    const all = newQueries(4);
    await Promise.all(all.map((query) => queries.begin(query)));
    const works = all.map((query, index) => queries.finish(endOf(query, { sha256: index === 2 ? '\0' : 'ab' })));
    expect(await codesOf(works)).toEqual(['done', 'done', 'invalid_request', 'done']);
    expect((await storedOf(all)).map(({ state }) => state)).toEqual(['FINISHED', 'FINISHED', 'RUNNING', 'FINISHED']);
    expect(await auditRows(all)).toBe(7);
  });

  it('whose connection is ended on the way fails as a whole, leaves nothing, and the next one is served', async () => {
    const { queries } = counting(stream);
    const all = newQueries(20);
    let codes: Promise<string[]> | undefined;
    await whileBlocked(async () => {
      codes = codesOf(all.map((query) => queries.begin(query)));
      for (const pid of await waitingServers(2)) {
        await superuser.withoutTenant((transaction) => transaction.query('select pg_terminate_backend($1)', [pid]));
      }
      expect(await codes).toEqual(all.map(() => 'audit_unavailable'));
    });
    expect([await storedOf(all), await auditRows(all)]).toEqual([[], 0]);
    await Promise.all(all.map((query) => queries.begin(query)));
    expect(await auditRows(all)).toBe(20);
  });

  it('that takes too long fails as a whole and leaves nothing, and its queries can be ended later', async () => {
    await using impatient = createDatabase({ url: test.streamUrl, queryTimeoutMs: 700 });
    const [queries, patient] = [createQueryStore(impatient), createQueryStore(stream)];
    const [begun, late] = [newQueries(20), newQueries(20)];
    await Promise.all(begun.map((query) => patient.begin(query)));
    await whileBlocked(async () => {
      const works = [
        ...late.map((query) => queries.begin(query)),
        ...begun.map((query) => queries.finish(endOf(query))),
      ];
      expect(await codesOf(works)).toEqual(works.map(() => 'audit_unavailable'));
      await waitingServers(0);
    });
    expect([await storedOf(late), await auditRows(late)]).toEqual([[], 0]);
    expect((await storedOf(begun)).map(({ state, outcomes }) => [state, outcomes])).toEqual(
      begun.map(() => ['RUNNING', 0]),
    );
    expect(await Promise.all(begun.map((query) => patient.finish(endOf(query))))).toEqual(begun.map(() => true));
  });

  it('whose commit nobody heard of is told as failed, and is neither lost nor doubled', async () => {
    await using proxy = await createDatabaseProxy(test.streamUrl);
    await using unsure = createDatabase({ url: proxy.url, queryTimeoutMs: 500, connectTimeoutMs: 500 });
    const { queries } = counting(unsure);
    const all = [newQuery(), newQuery({ sql: 'select 3 as unheard_begin' }), newQuery()];
    await queries.find(acme, randomUUID());
    proxy.muteAtCommitOf('unheard_begin');
    const [, ...begun] = await codesOf(all.map((query) => queries.begin(query)));
    expect(begun).toEqual(['audit_unavailable', 'audit_unavailable']);
    expect((await storedOf(all)).map(({ records }) => records)).toEqual([1, 1, 1]);
    proxy.mend();
    await queries.find(acme, randomUUID());
    proxy.muteAtCommitOf('unheard_end');
    const ends = all.map((query) => endOf(query, { sha256: 'unheard_end' }));
    const codes = await codesOf(ends.map((end) => queries.finish(end)));
    expect(codes).toEqual(ends.map(() => 'audit_unavailable'));
    proxy.mend();
    const again = await Promise.all(ends.map((end) => queries.finish(end)));
    expect(again[0]).toBe(false);
    expect((await storedOf(all)).map(({ state, outcomes }) => [state, outcomes])).toEqual(
      all.map(() => ['FINISHED', 1]),
    );
    expect(await auditRows(all)).toBe(6);
  });

  it('on the way when the database is closed here tells everybody', async () => {
    const closing = createDatabase({ url: test.streamUrl });
    const { queries } = counting(closing);
    const all = newQueries(20);
    const answers = codesOf(all.map((query) => queries.begin(query)));
    await closing[Symbol.asyncDispose]();
    const codes = await answers;
    const stored = new Set((await storedOf(all)).map(({ query_id }) => query_id));
    expect(codes).toEqual(all.map(({ queryId }) => (stored.has(queryId) ? 'done' : 'audit_unavailable')));
  });
});
