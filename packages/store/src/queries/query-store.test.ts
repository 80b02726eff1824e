import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@sluice/testkit';
import { type OutcomeRow, outcomeStatement, readOutcomes } from '../audit/audit-outcome-statement.ts';
import { createDatabase, type Database } from '../database/database.ts';
import { type AccountReference, type AccountStore, createAccountStore } from '../identity/account-store.ts';
import { secretIdOf } from '../identity/secret-id.ts';
import { createSessionStore, type SessionStore } from '../identity/session-store.ts';
import { createSigningKeyStore } from '../identity/signing-key-store.ts';
import { createTenantStore } from '../identity/tenant-store.ts';
import { createQueryStore, type QueryStore } from './query-store.ts';
import type { NewQuery, QueryEnd } from './query-writes.ts';

let test: TestDatabase;
let api: Database;
let stream: Database;
let queries: QueryStore;
let accounts: AccountStore;
let sessions: SessionStore;
let account: AccountReference;
let tenantId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  api = createDatabase({ url: test.apiUrl });
  stream = createDatabase({ url: test.streamUrl });
  queries = createQueryStore(stream);
  accounts = createAccountStore(api);
  sessions = createSessionStore(api);
  tenantId = (await createTenantStore(api).create({ name: 'acme' })).id;
  const user = { tenantId, email: 'ann@example.com', passwordHash: PASSWORD_HASH, roles: ['analyst'] };
  account = { tenantId, kind: 'user', id: await accounts.putUser(user) };
}, 120_000);
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await stream[Symbol.asyncDispose]();
  await test.dispose();
});

const PASSWORD_HASH = 'x';

const newQuery = (changes: Partial<NewQuery> = {}): NewQuery => ({
  tenantId,
  queryId: randomUUID(),
  accountKind: 'user',
  accountId: account.id,
  user: 'ann@example.com',
  hostId: randomUUID(),
  sql: 'select 1',
  action: 'RUN_QUERY',
  target: 'query',
  metadata: { format: 'sse' },
  requestId: 'request-1',
  address: '127.0.0.1',
  userAgent: 'test',
  ...changes,
});

const endOf = (query: NewQuery, changes: Partial<QueryEnd> = {}): QueryEnd => ({
  tenantId: query.tenantId,
  queryId: query.queryId,
  state: 'FINISHED',
  rows: 3,
  bytes: 42,
  sha256: 'ab',
  limited: false,
  error: null,
  ...changes,
});

const records = (queryId: string) =>
  stream.withTenant(tenantId, (transaction) =>
    transaction.query<{ id: string; record_id: string | null; action: string; metadata: Record<string, unknown> }>(
      'select id, record_id, action, metadata from audit_log where query_id = $1 order by record_id nulls first',
      [queryId],
    ),
  );

describe('a query', () => {
  it('has its record from the start, joined with its outcome at the end', async () => {
    const query = newQuery({ sql: 'select $$ä😀$$' });
    await queries.begin(query);
    const [record, ...none] = await records(query.queryId);
    expect(none).toEqual([]);
    expect(record).toMatchObject({ record_id: null, metadata: { format: 'sse', sql: 'select $$ä😀$$' } });
    expect((await queries.find(tenantId, query.queryId))?.receipt).toMatchObject({ state: 'RUNNING', ended_ts: null });
    expect(await queries.finish(endOf(query, { limited: true }))).toBe(true);
    const [, outcome] = await records(query.queryId);
    expect(outcome).toMatchObject({
      record_id: record?.id,
      action: 'RUN_QUERY',
      metadata: { state: 'FINISHED', rows: 3, bytes: 42, sha256: 'ab', limited: true, error: null },
    });
    expect((await queries.find(tenantId, query.queryId))?.receipt).toMatchObject({
      query_id: query.queryId,
      state: 'FINISHED',
      rows: 3,
      bytes: 42,
      sha256: 'ab',
      limited: true,
      error: null,
    });
  });

  it('ends once: a second end writes nothing', async () => {
    const query = newQuery();
    await queries.begin(query);
    const ends = await Promise.all(Array.from({ length: 10 }, () => queries.finish(endOf(query))));
    expect(ends.filter(Boolean)).toHaveLength(1);
    expect(await records(query.queryId)).toHaveLength(2);
  });

  it('that was closed as FINISHED by an unconfirmed commit is corrected by a later outcome, which readers receive', async () => {
    const [query, other] = [newQuery(), newQuery()];
    for (const begun of [query, other]) await queries.begin(begun);
    await queries.finish(endOf(query));
    await queries.finish(endOf(other, { state: 'CANCELLED' }));
    const error = { code: 'AUDIT_UNAVAILABLE', message: 'not in time' };
    for (const closed of [query, query, other]) {
      await queries.correct(endOf(closed, { state: 'FAILED', sha256: null, error }));
    }
    expect((await queries.find(tenantId, query.queryId))?.receipt).toMatchObject({
      state: 'FAILED',
      sha256: null,
      error,
    });
    expect((await queries.find(tenantId, other.queryId))?.receipt).toMatchObject({ state: 'CANCELLED', sha256: 'ab' });
    expect([(await records(query.queryId)).length, (await records(other.queryId)).length]).toEqual([3, 2]);
    const [record] = await records(query.queryId);
    const id = String(record?.id);
    const { statement, values } = outcomeStatement({ tenantId, ids: [id], earliest: '0', latest: '0' });
    const outcomes = readOutcomes(await stream.run<OutcomeRow>({ tenantId }, statement, values));
    expect(JSON.parse(outcomes.get(id) ?? '')).toMatchObject({ state: 'FAILED', sha256: null, error });
  });

  it('does not run again after its end', async () => {
    const query = newQuery();
    await queries.begin(query);
    await queries.finish(endOf(query, { state: 'CANCELLED' }));
    await queries.requestCancel(tenantId, query.queryId);
    const found = await queries.find(tenantId, query.queryId);
    expect([found?.receipt.state, found?.cancelRequested]).toEqual(['CANCELLED', false]);
  });

  it('is found only by its tenant, and never by a malformed id', async () => {
    const query = newQuery();
    await queries.begin(query);
    expect(await queries.find(randomUUID(), query.queryId)).toBeUndefined();
    expect(await queries.find(tenantId, "' or 1=1 --")).toBeUndefined();
    expect(await queries.find(tenantId, randomUUID())).toBeUndefined();
  });

  it('is listed for its account while it is open, oldest first', async () => {
    const id = await accounts.putUser({ tenantId, email: 'list@example.com', passwordHash: null, roles: ['analyst'] });
    const [one, two, over] = [newQuery({ accountId: id }), newQuery({ accountId: id }), newQuery({ accountId: id })];
    for (const query of [one, two, over]) await queries.begin(query);
    await queries.finish(endOf(over));
    const listed = await queries.listRunning({ tenantId, accountKind: 'user', accountId: id });
    expect(listed.map(({ query_id, hostId }) => [query_id, hostId])).toEqual([
      [one.queryId, one.hostId],
      [two.queryId, two.hostId],
    ]);
    expect(await queries.listRunning({ tenantId, accountKind: 'client', accountId: id })).toEqual([]);
  });

  it('does not begin without a record: audit_unavailable, and no row', async () => {
    const query = newQuery();
    await using closed = createDatabase({ url: 'postgres://x:y@127.0.0.1:1/z', connectTimeoutMs: 300 });
    await expect(createQueryStore(closed).begin(query)).rejects.toMatchObject({ code: 'audit_unavailable' });
    await expect(createQueryStore(closed).finish(endOf(query))).rejects.toMatchObject({ code: 'audit_unavailable' });
    // The record is refused by the table itself, so the query's row must go with it.
    await expect(
      queries.begin({ ...query, requestId: null as never, address: undefined as never, user: null as never }),
    ).rejects.toMatchObject({ code: 'audit_unavailable' });
    expect(await queries.find(tenantId, query.queryId)).toBeUndefined();
  });

  it('with a NUL in its SQL is rejected as bad input', async () => {
    await expect(queries.begin(newQuery({ sql: 'select 1 \0' }))).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('stopsDue', () => {
  const running = async (changes: Partial<NewQuery> = {}) => {
    const query = newQuery(changes);
    await queries.begin(query);
    const reason = async () =>
      (await queries.stopsDue(query.hostId)).find(({ queryId }) => queryId === query.queryId)?.reason;
    return { query, reason };
  };

  const openSession = async (keyId = 'key') => {
    const sid = randomUUID();
    const audit = { tenantId, user: 'ann@example.com', action: 'LOGIN', target: 'x' } as const;
    const expires = new Date(Date.now() + 60_000);
    await sessions.create({ tenantId, sid, account, expires, keyId, sessionsMax: 50, audit });
    return { sid, audit };
  };

  it('returns nothing while nothing must stop, and never queries of other hosts', async () => {
    const { sid } = await openSession();
    const { reason, query } = await running({ sessionId: sid });
    expect(await reason()).toBeUndefined();
    await queries.requestCancel(tenantId, query.queryId);
    expect(await queries.stopsDue(randomUUID())).toEqual([]);
    expect(await queries.stopsDue('no uuid')).toEqual([]);
    expect(await reason()).toBe('cancelled');
    await queries.finish(endOf(query));
    expect(await reason()).toBeUndefined();
  });

  it('returns the message of a kill, also an empty one, and also after a cancel', async () => {
    const { sid } = await openSession();
    for (const message of ['it was too slow', '']) {
      const { query } = await running({ sessionId: sid });
      await queries.requestCancel(tenantId, query.queryId);
      await queries.requestCancel(tenantId, query.queryId, message);
      const [due] = await queries.stopsDue(query.hostId);
      expect(due).toMatchObject({ queryId: query.queryId, reason: 'killed', killMessage: message });
      await queries.finish(endOf(query));
    }
  });

  it('returns queries of a session that was ended or has expired', async () => {
    const { sid, audit } = await openSession();
    const { reason } = await running({ sessionId: sid });
    await sessions.revoke({ tenantId, sid, reason: 'logout', audit });
    expect(await reason()).toBe('logged_out');
  });

  it('returns queries of a revoked key', async () => {
    const { sid } = await openSession('stolen');
    const { reason } = await running({ sessionId: sid });
    await createSigningKeyStore(api).revoke('stolen');
    expect(await reason()).toBe('key_revoked');
  });

  it('returns queries of a disabled account, a removed permission and a suspended tenant, also with Basic', async () => {
    const { reason } = await running({ secretId: secretIdOf(PASSWORD_HASH) });
    await accounts.setRoles(account, ['auditor']);
    expect(await reason()).toBe('not_permitted');
    await accounts.setRoles(account, ['analyst']);
    await accounts.disable(account);
    expect(await reason()).toBe('disabled');
    await accounts.enable(account);
    await createTenantStore(api).setState(tenantId, 'suspended');
    expect(await reason()).toBe('suspended');
    await createTenantStore(api).setState(tenantId, 'active');
    expect(await reason()).toBeUndefined();
  });
});
