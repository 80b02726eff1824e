import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send, until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  basicOf,
  bearer,
  type Credential,
  clientToken,
  idtoken,
  listOf,
  logIn,
  post,
  queryIdOf,
  receiptOf,
  startQuery,
  untilRunning,
} from '@sluice/testkit/requests';
import { ENDLESS } from '@sluice/testkit/statements';

let hosts: TestHosts;
let ann: Credential;
let bob: Credential;
let auditor: Credential;
let globexAdmin: Credential;
beforeAll(async () => {
  hosts = await startHosts();
  ann = basicOf(hosts.ann);
  bob = basicOf(await hosts.build.user(hosts.acme));
  auditor = basicOf(await hosts.build.user(hosts.acme, { roles: ['auditor'] }));
  const admin = await hosts.build.user(hosts.globex, { roles: ['admin'] });
  globexAdmin = { ...basicOf(admin), host: 'globex-stream.localhost' };
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const get = (path: string, credential: Credential) => send(`${hosts.url}${path}`, { headers: { ...credential } });
const cancel = (queryId: string, credential: Credential) =>
  send(`${hosts.url}/query/${queryId}`, { method: 'DELETE', headers: { ...credential } });
const HIDDEN = { error: 'not_found', message: 'You have no query with this id.' };

describe('GET /query/{id}', () => {
  it('returns the receipt of a running and of an ended query', async () => {
    const started = await startQuery(hosts.url, ENDLESS, ann);
    const running = await receiptOf(hosts.url, started.queryId, ann);
    expect(running).toEqual({
      query_id: started.queryId,
      state: 'RUNNING',
      rows: 0,
      bytes: expect.any(Number),
      sha256: null,
      limited: false,
      started_ts: expect.any(Number),
      ended_ts: null,
      error: null,
    });
    expect(Math.abs(running.started_ts - Date.now())).toBeLessThan(10_000);
    await cancel(started.queryId, ann);
    await started.text;
    const over = await receiptOf(hosts.url, started.queryId, ann);
    expect(over).toMatchObject({ state: 'CANCELLED', error: { code: 'QUERY_CANCELLED' } });
    expect(over.ended_ts).toBeGreaterThanOrEqual(over.started_ts);
  });

  it('returns 200 to the caller with any credential and to audit:read of the tenant', async () => {
    const queryId = queryIdOf(await post(`${hosts.url}/query`, { sql: 'SELECT 1' }, ann));
    const tokens = await logIn(hosts, hosts.ann);
    for (const credential of [ann, idtoken(tokens.id_token), bearer(tokens.access_token), auditor]) {
      expect((await get(`/query/${queryId}`, credential)).status).toBe(200);
    }
  });

  it('returns the same 404 for a query of another user or tenant, an unknown id and an invalid id', async () => {
    const queryId = queryIdOf(await post(`${hosts.url}/query`, { sql: 'SELECT 1' }, ann));
    const ofClient = bearer(await clientToken(hosts, await hosts.build.client(hosts.acme)));
    const answers = [
      await get(`/query/${queryId}`, bob),
      await get(`/query/${queryId}`, ofClient),
      await get(`/query/${queryId}`, globexAdmin),
      await get(`/query/${randomUUID()}`, auditor),
      await get('/query/no-uuid', ann),
      await get(`/query/${'0'.repeat(5000)}`, ann),
      await get(`/query/${encodeURIComponent("' or 1=1 --")}`, ann),
      await get('/query/%2e%2e%2fhealth', ann),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.body]).toEqual([404, { ...HIDDEN, request_id: expect.any(String) }]);
    }
  });

  it('returns 400 for control characters and query parameters, and 401 without a credential', async () => {
    expect((await get('/query/%00', ann)).status).toBe(400);
    expect((await get(`/query/${randomUUID()}?x=1`, ann)).status).toBe(400);
    expect((await get(`/query/${randomUUID()}`, {})).status).toBe(401);
  });

  it('writes no audit record', async () => {
    const before = await hosts.rows('select id from audit_log');
    await get(`/query/${randomUUID()}`, ann);
    await get('/query', ann);
    expect(await hosts.rows('select id from audit_log')).toHaveLength(before.length);
  });
});

describe('GET /query', () => {
  it('lists only the caller’s own running queries, oldest first', async () => {
    const first = await startQuery(hosts.url, ENDLESS, ann);
    const second = await startQuery(hosts.url, ENDLESS, bob);
    const third = await startQuery(hosts.url, `${ENDLESS}  `, ann);
    const listed = await until(
      async () => {
        const list = await listOf(hosts.url, ann);
        return list.every(({ state }) => state === 'RUNNING') ? list : undefined; // the engine may queue it first
      },
      { what: 'queries that run' },
    );
    expect(listed).toEqual([
      {
        query_id: first.queryId,
        sql: ENDLESS,
        state: 'RUNNING',
        started_ts: expect.any(Number),
        rows: 0,
        bytes: expect.any(Number),
      },
      {
        query_id: third.queryId,
        sql: `${ENDLESS}  `,
        state: 'RUNNING',
        started_ts: expect.any(Number),
        rows: 0,
        bytes: expect.any(Number),
      },
    ]);
    expect(await listOf(hosts.url, globexAdmin)).toEqual([]);
    first.disconnect();
    third.disconnect();
    await until(async () => ((await listOf(hosts.url, ann)).length === 0 ? true : undefined), {
      what: 'an empty list',
    });
    expect(await listOf(hosts.url, bob)).toMatchObject([{ query_id: second.queryId }]);
    second.disconnect();
  });

  it('truncates long SQL, and says so', async () => {
    const sql = `${ENDLESS} -- ${'x'.repeat(200_000)}`;
    const started = await startQuery(hosts.url, sql, ann);
    expect(await listOf(hosts.url, ann)).toMatchObject([
      { query_id: started.queryId, sql: sql.slice(0, 8_192), sql_truncated: true },
    ]);
    started.disconnect();
    await until(async () => ((await listOf(hosts.url, ann)).length === 0 ? true : undefined), {
      what: 'an empty list',
    });
  });

  it('returns 403 without query:run and 401 without a credential', async () => {
    expect((await get('/query', auditor)).status).toBe(403);
    expect((await get('/query', {})).status).toBe(401);
  });
});

describe('DELETE /query/{id}', () => {
  it('returns 202 with the current receipt, stops the query and writes CANCEL_QUERY, and then returns 200', async () => {
    const started = await startQuery(hosts.url, ENDLESS, ann);
    const answer = await cancel(started.queryId, ann);
    expect([answer.status, answer.body.query_id, answer.body.ended_ts]).toEqual([202, started.queryId, null]);
    expect(await started.text).toContain(
      '"type":"error","error":"The query was cancelled by its caller.","code":"QUERY_CANCELLED"',
    );
    const again = await cancel(started.queryId, ann);
    expect([again.status, again.body.state]).toEqual([200, 'CANCELLED']);
    const records = await hosts.rows(
      `select user_name, target, metadata from audit_log where action = 'CANCEL_QUERY' and query_id = $1`,
      [started.queryId],
    );
    expect(records).toEqual([{ user_name: hosts.ann.email, target: started.queryId, metadata: {} }]);
  });

  it('returns 404 for queries of others, even with audit:read, and stops nothing', async () => {
    const started = await startQuery(hosts.url, ENDLESS, ann);
    const admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] }));
    const answers = [
      await cancel(started.queryId, bob),
      await cancel(started.queryId, admin),
      await cancel(started.queryId, globexAdmin),
      await cancel(randomUUID(), ann),
      await cancel('no-uuid', ann),
    ];
    for (const answer of answers) expect([answer.status, answer.body.message]).toEqual([404, HIDDEN.message]);
    expect((await untilRunning(hosts.url, ann)).query_id).toBe(started.queryId);
    expect((await cancel(started.queryId, auditor)).status).toBe(403);
    started.disconnect();
  });
});

describe('unauthenticated paths', () => {
  it('are the probes and the API documents, without any tenant data', async () => {
    for (const path of ['/', '/health']) {
      expect((await get(path, {})).body).toEqual({ status: 'ok', service: expect.any(String) });
    }
    expect((await get('/ready', {})).body).toMatchObject({ status: 'ready', checks: { postgres: 'ok', engine: 'ok' } });
    const { body } = await get('/openapi.json', {});
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining(['/query', '/query/{id}', '/query/download/json', '/query/download/csv']),
    );
    expect((await get('/docs', {})).status).toBe(200);
  });
});

describe('methods of paths', () => {
  it.each([
    ['/query', 'POST, GET, HEAD, OPTIONS'],
    ['/query/download/json', 'POST, OPTIONS'],
    ['/query/download/csv', 'POST, OPTIONS'],
    ['/query/some-id', 'GET, DELETE, HEAD, OPTIONS'],
  ])('%s allows only %s', async (path, allow) => {
    const options = await send(`${hosts.url}${path}`, { method: 'OPTIONS' });
    expect([options.status, options.headers.allow]).toEqual([204, allow]);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'PROPFIND']) {
      if (allow.includes(method)) continue;
      const answer = await send(`${hosts.url}${path}`, { method, headers: { ...ann } });
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allow]);
    }
  });

  it('ignores a trailing slash and returns 404 for another case', async () => {
    expect((await get('/query/', ann)).status).toBe(200);
    expect((await get('/Query', ann)).status).toBe(404);
    expect((await get('/query/download/xml', ann)).status).toBe(404);
  });

  it('returns no body for HEAD of a receipt', async () => {
    const queryId = queryIdOf(await post(`${hosts.url}/query`, { sql: 'SELECT 1' }, ann));
    const answer = await send(`${hosts.url}/query/${queryId}`, { method: 'HEAD', headers: { ...ann } });
    expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
  });
});
