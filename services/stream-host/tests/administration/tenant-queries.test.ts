import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@sluice/observability';
import { type StreamHost, startStreamHost } from '@sluice/stream-host';
import { send, until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, finalReceipt, post, queryIdOf, startQuery } from '@sluice/testkit/requests';
import { ENDLESS } from '@sluice/testkit/statements';

let hosts: TestHosts;
let second: StreamHost;
let ann: Credential;
let admin: Credential;
let adminEmail: string;
let otherTenantAdmin: Credential;
beforeAll(async () => {
  hosts = await startHosts({ WORKERS_MAX: '2', QUERIES_PER_USER: '1' });
  second = await startStreamHost({
    environment: hosts.environment,
    overrides: { log: createLogger({ service: 'test', level: 'silent' }) },
  });
  ann = basicOf(hosts.ann);
  const user = await hosts.build.user(hosts.acme, { roles: ['admin'] });
  adminEmail = user.email;
  admin = basicOf(user);
  const other = await hosts.build.user(hosts.globex, { roles: ['admin'] });
  otherTenantAdmin = { ...basicOf(other), host: 'globex-stream.localhost' };
}, 120_000);
afterAll(async () => {
  await second?.[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
});

const list = (credential: Credential, url = hosts.url) => send(`${url}/admin/queries`, { headers: { ...credential } });
const cancel = (queryId: string, credential: Credential, url = hosts.url) =>
  send(`${url}/admin/queries/${queryId}`, { method: 'DELETE', headers: { ...credential } });

describe('GET /admin/queries', () => {
  it('truncates long SQL of running and waiting queries on every host, and says so', async () => {
    const sql = `${ENDLESS} -- ${'x'.repeat(100_000)}`;
    const running = await startQuery(hosts.url, sql, ann);
    const leave = new AbortController();
    const waits = fetch(`${hosts.url}/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...ann },
      body: JSON.stringify({ sql }),
      signal: leave.signal,
    }).catch(() => undefined);
    for (const url of [hosts.url, second.url]) {
      const listed = await until(
        async () => {
          const { data } = (await list(admin, url)).body;
          return data.length === 2 ? data : undefined;
        },
        { what: 'a waiting query' },
      );
      expect(listed).toMatchObject(
        ['RUNNING', 'QUEUED'].map((state) => ({ state, sql: sql.slice(0, 8_192), sql_truncated: true })),
      );
    }
    leave.abort();
    running.disconnect();
    await waits;
    await until(async () => ((await list(admin)).body.data.length === 0 ? true : undefined), { what: 'an empty list' });
  });

  it('lists running and waiting queries of every user on every host, and records the read', async () => {
    const running = await startQuery(hosts.url, ENDLESS, ann);
    const waiting = new AbortController();
    const queued = fetch(`${hosts.url}/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...ann },
      body: JSON.stringify({ sql: 'SELECT 1 AS waits' }),
      signal: waiting.signal,
    }).catch(() => undefined);
    for (const url of [hosts.url, second.url]) {
      const answer = await until(
        async () => {
          const found = await list(admin, url);
          return found.body.data.length === 2 ? found : undefined;
        },
        { what: 'two queries' },
      );
      expect([answer.status, answer.body.data]).toEqual([
        200,
        [
          {
            query_id: running.queryId,
            user: hosts.ann.email,
            kind: 'QUERY',
            sql: ENDLESS,
            state: 'RUNNING',
            started_ts: expect.any(Number),
            rows: 0,
            bytes: expect.any(Number),
          },
          expect.objectContaining({
            user: hosts.ann.email,
            kind: 'QUERY',
            sql: 'SELECT 1 AS waits',
            state: 'QUEUED',
            rows: 0,
          }),
        ],
      ]);
      const records = await hosts.rows('select action, user_name, target from audit_log where request_id = $1', [
        answer.headers['x-request-id'],
      ]);
      expect(records).toEqual([{ action: 'READ_QUERIES', user_name: adminEmail, target: 'acme' }]);
    }
    expect((await list(otherTenantAdmin)).body).toEqual({ data: [] });
    waiting.abort();
    running.disconnect();
    await queued;
  });

  it('returns 403 without admin and 401 without a credential', async () => {
    const answer = await list(ann);
    expect([answer.status, answer.body.error]).toEqual([403, 'access_denied']);
    expect((await list({})).status).toBe(401);
    expect((await cancel(randomUUID(), ann)).status).toBe(403);
  });
});

describe('DELETE /admin/queries/{id}', () => {
  it.each(['the same host', 'another host'])('cancels a query of a user from %s, and records it', async (where) => {
    const started = await startQuery(hosts.url, ENDLESS, ann);
    const url = where === 'another host' ? second.url : hosts.url;
    const answer = await cancel(started.queryId, admin, url);
    expect([answer.status, answer.body]).toEqual([
      202,
      expect.objectContaining({ query_id: started.queryId, state: 'RUNNING', ended_ts: null }),
    ]);
    expect(await started.text).toContain(
      '"type":"error","error":"The query was cancelled by an admin of its tenant.","code":"QUERY_CANCELLED"',
    );
    const receipt = await finalReceipt(hosts.url, started.queryId, { credential: ann });
    expect(receipt.state).toBe('CANCELLED');
    const records = await hosts.rows(
      `select user_name, target, query_id, metadata from audit_log where action = 'CANCEL_QUERY' and query_id = $1`,
      [started.queryId],
    );
    expect(records).toEqual([
      { user_name: adminEmail, target: started.queryId, query_id: started.queryId, metadata: { by_admin: true } },
    ]);
  });

  it('cancels a waiting query from another host', async () => {
    const running = await startQuery(hosts.url, ENDLESS, ann);
    const sql = 'SELECT 2 AS waits';
    const waits = post(`${hosts.url}/query`, { sql }, ann);
    // A query of an earlier test whose client has left may be listed for a moment longer.
    const isWaiting = (query: { readonly state: string; readonly sql: string }): boolean =>
      query.state === 'QUEUED' && query.sql === sql;
    const found = await until(async () => (await list(admin, second.url)).body.data.find(isWaiting), {
      what: 'a waiting query on the other host',
    });
    const answer = await cancel(found.query_id, admin, second.url);
    expect([answer.status, answer.body.state]).toEqual([202, 'QUEUED']);
    expect((await waits).text).toContain('cancelled by an admin');
    running.disconnect();
  });

  it('returns 409 for a query that has ended, and does not change it', async () => {
    const queryId = queryIdOf(await post(`${hosts.url}/query`, { sql: 'SELECT 1' }, admin));
    for (const url of [hosts.url, second.url]) {
      const answer = await cancel(queryId, admin, url);
      expect([answer.status, answer.body.error, answer.body.message]).toEqual([
        409,
        'conflict',
        'The query has already ended.',
      ]);
    }
    const records = await hosts.rows(`select 1 from audit_log where action = 'CANCEL_QUERY' and query_id = $1`, [
      queryId,
    ]);
    expect(records).toEqual([]);
    const receipt = await finalReceipt(hosts.url, queryId, { credential: admin });
    expect(receipt.state).toBe('FINISHED');
  });

  it('returns the same 404 for a query of another tenant, an unknown id and an invalid one', async () => {
    const started = await startQuery(hosts.url, ENDLESS, ann);
    for (const answer of [
      await cancel(started.queryId, otherTenantAdmin),
      await cancel(randomUUID(), admin),
      await cancel('no-uuid', admin),
      await cancel('%2e%2e%2fquery', admin),
    ]) {
      expect([answer.status, answer.body.message]).toEqual([404, 'The tenant has no query with this id.']);
    }
    expect((await list(admin)).body.data).toMatchObject([{ query_id: started.queryId, state: 'RUNNING' }]);
    started.disconnect();
  });
});
