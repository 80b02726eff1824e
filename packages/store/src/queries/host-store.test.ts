import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@sluice/testkit';
import { createDatabase, type Database } from '../database/database.ts';
import { createTenantStore } from '../identity/tenant-store.ts';
import { createCallerUseStore } from './caller-use-store.ts';
import { createHostStore, type HostStore } from './host-store.ts';
import { createQueryStore, type QueryStore } from './query-store.ts';
import type { NewQuery } from './query-writes.ts';
import { createWaitingQueryStore } from './waiting-query-store.ts';

let test: TestDatabase;
let stream: Database;
let queries: QueryStore;
let hosts: HostStore;
let tenantId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  await using api = createDatabase({ url: test.apiUrl });
  tenantId = (await createTenantStore(api).create({ name: 'acme' })).id;
  stream = createDatabase({ url: test.streamUrl });
  queries = createQueryStore(stream);
  hosts = createHostStore(stream);
}, 120_000);
afterAll(async () => {
  await stream[Symbol.asyncDispose]();
  await test.dispose();
});

const newQuery = (hostId: string): NewQuery => ({
  tenantId,
  queryId: randomUUID(),
  accountKind: 'user',
  accountId: randomUUID(),
  user: 'ann@example.com',
  hostId,
  sql: 'select 1',
  action: 'RUN_QUERY',
  target: 'query',
  metadata: {},
  requestId: 'request-1',
  address: '127.0.0.1',
});

const records = (queryId: string) =>
  stream.withTenant(tenantId, (transaction) =>
    transaction.query<{ id: string; record_id: string | null; metadata: Record<string, unknown> }>(
      'select id, record_id, metadata from audit_log where query_id = $1 order by record_id nulls first',
      [queryId],
    ),
  );

describe('reapSilent', () => {
  const beginOn = async (hostId: string) => {
    const query = newQuery(hostId);
    await queries.begin(query);
    return query;
  };
  /** Makes the host silent and its queries started an hour ago. */
  const makeSilent = async (hostId: string) => {
    await using superuser = createDatabase({ url: test.superuserUrl });
    await superuser.withoutTenant(async (transaction) => {
      await transaction.query(`update hosts set beat = now() - interval '1 hour' where id = $1`, [hostId]);
    });
    const past = `started - interval '1 hour'`;
    await superuser.withoutTenant(async (transaction) => {
      await transaction.query(
        `update audit_log set occurred = occurred - interval '1 hour'
         where query_id in (select query_id from queries where host_id = $1 and ended is null)`,
        [hostId],
      );
      await transaction.query(`update queries set started = ${past} where host_id = $1 and ended is null`, [hostId]);
    });
  };

  it('closes the open queries of a dead host as UNKNOWN, each once, with any number of reapers', async () => {
    const hostId = randomUUID();
    await hosts.register({ id: hostId, service: 'stream' });
    const open = await Promise.all(Array.from({ length: 20 }, () => beginOn(hostId)));
    await makeSilent(hostId);
    const closed = await Promise.all(Array.from({ length: 4 }, () => hosts.reapSilent()));
    expect(closed.reduce((sum, count) => sum + count)).toBe(20);
    for (const query of open) {
      const outcomes = await records(query.queryId);
      expect(outcomes).toHaveLength(2);
      expect(outcomes[1]).toMatchObject({ record_id: outcomes[0]?.id, metadata: { state: 'UNKNOWN', sha256: null } });
      expect((await queries.find(tenantId, query.queryId))?.receipt).toMatchObject({ state: 'UNKNOWN', sha256: null });
    }
  });

  it('takes a host for dead after the silence of the setting, as do the lists of waiting queries', async () => {
    const [hostId, queryId, accountId] = [randomUUID(), randomUUID(), randomUUID()];
    const service = `silent-${hostId}`;
    await hosts.register({ id: hostId, service });
    const wait = { accountKind: 'user', accountId, userName: 'ann', action: 'RUN_QUERY', sql: 'SELECT 1' } as const;
    await createWaitingQueryStore(stream).update({
      hostId,
      added: [{ ...wait, tenantId, queryId, sinceMs: Date.now() }],
      removed: [],
    });
    await using superuser = createDatabase({ url: test.superuserUrl });
    await superuser.withoutTenant((transaction) =>
      transaction.query(`update hosts set beat = now() - interval '1 minute' where id = $1`, [hostId]),
    );
    for (const [silenceMs, found] of [
      [30_000, 0],
      [600_000, 1],
    ] as const) {
      const waiting = createWaitingQueryStore(stream, silenceMs);
      expect(await createHostStore(stream, silenceMs).countLive(service)).toBe(found);
      expect(await waiting.list({ tenantId, accountKind: 'user', accountId })).toHaveLength(found);
      expect((await waiting.listOfTenant(tenantId)).filter((one) => one.queryId === queryId)).toHaveLength(found);
      expect([await waiting.find(tenantId, queryId)].filter(Boolean)).toHaveLength(found);
      expect((await createCallerUseStore(stream, silenceMs).find({ tenantId, accountId })).queued).toBe(found);
    }
  });

  it('ignores a host with a heartbeat, and one that began a query before it registered', async () => {
    const [alive, unregistered] = [randomUUID(), randomUUID()];
    await hosts.sendHeartbeat({ id: alive, service: 'stream' });
    await beginOn(alive);
    await beginOn(unregistered);
    expect(await hosts.reapSilent()).toBe(0);
    await makeSilent(unregistered);
    expect(await hosts.reapSilent()).toBe(1);
  });

  it('keeps the last saved progress of a query in receipt and outcome, marked as a lower bound', async () => {
    const [hostId, other] = [randomUUID(), randomUUID()];
    await hosts.register({ id: hostId, service: 'stream' });
    const query = await beginOn(hostId);
    const ended = await beginOn(hostId);
    expect(await finish(ended)).toBe(true);
    const progressOf = ({ queryId }: NewQuery, rows: number) => ({ tenantId, queryId, rows, bytes: rows * 10 });
    await hosts.saveProgress(hostId, []);
    await hosts.saveProgress(hostId, [progressOf(query, 5), progressOf(ended, 5)]);
    await hosts.saveProgress(hostId, [progressOf(query, 3_000_000_000)]);
    await hosts.saveProgress(other, [progressOf(query, 7)]);
    expect((await queries.find(tenantId, query.queryId))?.receipt).not.toHaveProperty('at_least');
    await makeSilent(hostId);
    expect(await hosts.reapSilent()).toBe(1);
    const left = { state: 'UNKNOWN', rows: 3_000_000_000, bytes: 30_000_000_000, sha256: null, at_least: true };
    expect((await queries.find(tenantId, query.queryId))?.receipt).toMatchObject(left);
    expect((await records(query.queryId))[1]?.metadata).toMatchObject(left);
    expect((await queries.find(tenantId, ended.queryId))?.receipt).toMatchObject({ state: 'FINISHED', rows: 1 });
    expect((await records(ended.queryId))[1]?.metadata).not.toHaveProperty('at_least');
  });

  const finish = ({ queryId }: NewQuery) =>
    queries.finish({
      tenantId,
      queryId,
      state: 'FINISHED',
      rows: 1,
      bytes: 1,
      sha256: 'ab',
      limited: false,
      error: null,
    });

  it('reports to a host that was only slow that its query is closed', async () => {
    const hostId = randomUUID();
    await hosts.register({ id: hostId, service: 'stream' });
    const query = await beginOn(hostId);
    await makeSilent(hostId);
    await hosts.reapSilent();
    await hosts.sendHeartbeat({ id: hostId, service: 'stream' });
    expect(await finish(query)).toBe(false);
    expect((await queries.find(tenantId, query.queryId))?.receipt.state).toBe('UNKNOWN');
  });
});
