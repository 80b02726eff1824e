import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@sluice/testkit';
import { auditRows, endOf, newQueries, newQuery, storedOf } from '../../testing/stored-queries.ts';
import { createDatabase, type Database } from '../database/database.ts';
import { createTenantStore } from '../identity/tenant-store.ts';
import { createHostStore } from './host-store.ts';
import { createQueryStore } from './query-store.ts';

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

/** Counts the statements that are sent. */
const counting = (database: Database) => {
  const counted = { statements: 0 };
  const run: Database['run'] = (...parts) => {
    counted.statements += 1;
    return database.run(...parts);
  };
  return { counted, queries: createQueryStore({ ...database, run }) };
};

describe('queries of one tenant at the same time', () => {
  it('begin in two commits, and end in two', async () => {
    const { counted, queries } = counting(stream);
    const all = newQueries(50, { tenantId: acme });
    await Promise.all(all.map((query) => queries.begin(query)));
    expect(counted.statements).toBe(2);
    const begun = await storedOf(superuser, all);
    expect(new Set(begun.map(({ xmin }) => xmin)).size).toBe(2);
    expect(begun.map(({ state, records, outcomes }) => [state, records, outcomes])).toEqual(
      all.map(() => ['RUNNING', 1, 0]),
    );
    const ends = await Promise.all(all.map((query) => queries.finish(endOf(query))));
    expect([counted.statements, ends]).toEqual([4, all.map(() => true)]);
    const ended = await storedOf(superuser, all);
    expect(new Set(ended.map(({ xmin }) => xmin)).size).toBe(2);
    expect(ended.map(({ state, records, outcomes }) => [state, records, outcomes])).toEqual(
      all.map(() => ['FINISHED', 1, 1]),
    );
  });

  it('take one statement each when they arrive one after the other', async () => {
    const { counted, queries } = counting(stream);
    for (const query of newQueries(3, { tenantId: acme })) {
      await queries.begin(query);
      await queries.finish(endOf(query));
    }
    expect(counted.statements).toBe(6);
  });

  it('keep their own SQL, whatever it contains', async () => {
    const { queries } = counting(stream);
    const texts = [`a'b`, 'c"d\\e', '{x,NULL}', 'NULL', '', 'ä😀\n\t', '$1; drop table queries --'];
    const all = [
      newQuery({ tenantId: acme }),
      ...texts.map((sql) => newQuery({ tenantId: acme, sql, userAgent: sql, user: sql, sessionId: randomUUID() })),
    ];
    await Promise.all(all.map((query) => queries.begin(query)));
    for (const { accountId, sql } of all) {
      const listed = await queries.listRunning({ tenantId: acme, accountKind: 'user', accountId });
      expect(listed).toMatchObject([{ sql }]);
    }
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
        accountId: all[index]?.accountId,
        hostId: all[index]?.hostId,
      });
      const { state, rows, bytes, sha256, limited, error } = end;
      expect(found?.receipt).toMatchObject({ state, rows, bytes, sha256, limited, error });
    }
    expect(await storedOf(superuser, all)).toMatchObject(
      all.map(({ sql }) => ({ sql, copy: '', records: 1, outcomes: 1 })),
    );
  });

  it('are listed in the order of arrival', async () => {
    const { queries } = counting(stream);
    const accountId = randomUUID();
    const all = newQueries(30, { tenantId: acme, accountId });
    await Promise.all(all.map((query) => queries.begin(query)));
    const listed = await queries.listRunning({ tenantId: acme, accountKind: 'user', accountId });
    // The first was sent alone, and may be overtaken when its connection has to be opened.
    const ids = listed.map(({ query_id }) => query_id).filter((id) => id !== all[0]?.queryId);
    expect(ids).toEqual(all.slice(1).map(({ queryId }) => queryId));
  });

  it('learn individually whether another process closed them before', async () => {
    const { queries } = counting(stream);
    const all = newQueries(6, { tenantId: acme });
    await Promise.all(all.map((query) => queries.begin(query)));
    await Promise.all(all.slice(3).map((query) => queries.finish(endOf(query, { state: 'CANCELLED' }))));
    const unknown = newQuery({ tenantId: acme });
    const ends = await Promise.all([...all, unknown].map((query) => queries.finish(endOf(query))));
    expect(ends).toEqual([true, true, true, false, false, false, false]);
    expect((await storedOf(superuser, all)).map(({ state, outcomes }) => [state, outcomes])).toEqual([
      ...Array.from({ length: 3 }, () => ['FINISHED', 1]),
      ...Array.from({ length: 3 }, () => ['CANCELLED', 1]),
    ]);
  });

  it('are closed once each, whether by their host or by the reaper', async () => {
    const { queries } = counting(stream);
    const all = newQueries(200, { tenantId: acme });
    await Promise.all(all.map((query) => queries.begin(query)));
    const hosts = createHostStore(stream);
    const [reaped, ends] = await Promise.all([
      hosts.reapSilent(0),
      Promise.all(all.map((query) => queries.finish(endOf(query)))),
    ]);
    const stored = await storedOf(superuser, all);
    expect(stored.map(({ state }) => state === 'FINISHED')).toEqual(ends);
    expect(stored.map(({ outcomes }) => outcomes)).toEqual(all.map(() => 1));
    expect(reaped).toBeGreaterThanOrEqual(ends.filter((isOurs) => !isOurs).length);
    expect(await auditRows(superuser, all)).toBe(400);
  });
});

describe('queries of several tenants at the same time', () => {
  it('share no statement, and each tenant sees only its own', async () => {
    const { counted, queries } = counting(stream);
    const all = Array.from({ length: 40 }, (_unused, index) => newQuery({ tenantId: index % 2 === 0 ? acme : globex }));
    await Promise.all(all.map((query) => queries.begin(query)));
    expect(counted.statements).toBe(4);
    expect((await storedOf(superuser, all)).map((row) => row.tenant_id)).toEqual(all.map(({ tenantId }) => tenantId));
    const [own, other] = [all[38], all[39]];
    expect(await queries.find(acme, own?.queryId ?? '')).toBeDefined();
    expect(await queries.find(acme, other?.queryId ?? '')).toBeUndefined();
    // Ends with the other tenant's id close nothing.
    const unsealedRows = all.map((query) => endOf(query, { tenantId: query.tenantId === acme ? globex : acme }));
    expect(await Promise.all(unsealedRows.map((end) => queries.finish(end)))).toEqual(all.map(() => false));
    expect(await Promise.all(all.map((query) => queries.finish(endOf(query))))).toEqual(all.map(() => true));
  });

  it('wait only for their own tenant: a blocked one delays no other', async () => {
    const { queries } = counting(stream);
    const [first, second, other] = [
      newQuery({ tenantId: acme }),
      newQuery({ tenantId: acme }),
      newQuery({ tenantId: globex }),
    ];
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
