import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database } from '@sluice/store/database';
import { createAccountStore } from '@sluice/store/identity';
import { send, until } from '@sluice/testkit';
import { type Replicas, startReplicas } from '@sluice/testkit/hosts';
import {
  basic,
  basicOf,
  bearer,
  type Credential,
  finalReceipt,
  idtoken,
  listOf,
  logIn,
  post,
  receiptOf,
  type StartedQuery,
  startQuery,
} from '@sluice/testkit/requests';
import { ENDLESS, PAUSING } from '@sluice/testkit/statements';

// Run by `npm run test:redis`, which provides a Redis; `npm test` needs no server.
let replicas: Replicas;
let database: Database;
let one: string;
let other: string;
const started: StartedQuery[] = [];

beforeAll(async () => {
  replicas = await startReplicas({ QUERIES_PER_USER: '2', QUEUED_PER_USER: '3', QUEUE_TIMEOUT: '4s' });
  database = createDatabase({ url: replicas.apiUrl, poolMax: 2 });
  [one, other] = replicas.urls;
}, 120_000);
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await replicas?.[Symbol.asyncDispose]();
});
afterEach(async () => {
  for (const query of started.splice(0)) query.disconnect();
  await until(() => (replicas.streams.every(({ context }) => context.running.size === 0) ? true : undefined), {
    what: 'the end of all queries',
    withinMs: 5_000,
  });
});

const run = async (url: string, credential: Credential, sql = ENDLESS): Promise<StartedQuery> => {
  const query = await startQuery(url, sql, credential);
  started.push(query);
  return query;
};
const answers42 = (url: string, credential: Credential) => post(`${url}/query`, { sql: 'SELECT 42 AS n' }, credential);
const statusOf = async (url: string, credential: Credential): Promise<number> =>
  (await send(`${url}/query`, { headers: { ...credential } })).status;
const untilRejected = (credential: Credential, withinMs: number): Promise<true> =>
  until(
    async () => {
      const statuses = await Promise.all([statusOf(one, credential), statusOf(other, credential)]);
      return statuses.every((status) => status === 401) ? true : undefined;
    },
    { what: 'the rejection by both', withinMs },
  );

describe('two API hosts and two stream hosts share their state', () => {
  it('a login at one host is valid at all, and a logout at another ends it and its queries everywhere', async () => {
    const tokens = await logIn({ api: replicas.apis[0] }, replicas.ann);
    const credential = idtoken(tokens.id_token);
    const query = await run(one, credential);
    expect(await statusOf(other, bearer(tokens.access_token))).toBe(200);
    const logout = await send(`${replicas.apis[1].url}/auth/logout/acme`, { headers: { ...credential } });
    expect(logout.status).toBe(302);
    await untilRejected(credential, 10_000);
    const refreshed = await send(`${replicas.apis[0].url}/auth/refresh/acme`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ refresh_token: tokens.refresh_token }).toString(),
    });
    expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_grant']);
    expect(await query.text).toContain('its session ended');
  });

  it('a disabled account is rejected by all hosts, and its query ends on any host', async () => {
    const user = await replicas.build.user(replicas.acme);
    const query = await run(other, basicOf(user));
    await createAccountStore(database).disable({ tenantId: replicas.acme.id, kind: 'user', id: user.id });
    expect(await query.text).toContain('its account was disabled');
    await untilRejected(basicOf(user), 5_000);
    const { email, password } = user;
    expect((await post(`${replicas.apis[1].url}/auth/login/acme`, { email, password })).status).toBe(401);
  });

  it('failed logins are counted across hosts', async () => {
    const { email } = await replicas.build.user(replicas.acme);
    const guess = (index: number) => {
      const password = `guess ${index}`;
      const host = index % 4;
      if (host < 2) return post(`${replicas.apis[host]?.url}/auth/login/acme`, { email, password });
      return send(`${replicas.urls[host - 2]}/query`, { headers: { ...basic(email, password) } });
    };
    // On a busy machine Redis may be too slow for one of many concurrent requests, which then gets 503 and is repeated.
    const guessUntilServed = (index: number) =>
      until(
        async () => {
          const { status } = await guess(index);
          return status === 503 ? undefined : status;
        },
        { what: 'a response to a login', withinMs: 20_000 },
      );
    const statuses = await Promise.all(Array.from({ length: 60 }, (_, index) => guessUntilServed(index)));
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
  });

  it('a running query is listed and cancelled through the other host', async () => {
    const ann = basicOf(replicas.ann);
    const query = await run(one, ann);
    expect(await listOf(other, ann)).toMatchObject([{ query_id: query.queryId, sql: ENDLESS, state: 'RUNNING' }]);
    expect(await receiptOf(other, query.queryId, ann)).toMatchObject({ state: 'RUNNING', ended_ts: null });
    const begun = performance.now();
    const cancelled = await send(`${other}/query/${query.queryId}`, { method: 'DELETE', headers: { ...ann } });
    expect(cancelled.status).toBe(202);
    expect(await query.text).toContain('"code":"QUERY_CANCELLED"');
    expect(performance.now() - begun).toBeLessThan(4_000);
    const receipt = await finalReceipt(other, query.queryId, { credential: ann, withinMs: 3_000 });
    expect(receipt.state).toBe('CANCELLED');
    expect(await receiptOf(one, query.queryId, ann)).toEqual(receipt);
    expect(await listOf(other, ann)).toEqual([]);
  });

  it('a waiting query is listed as QUEUED and cancelled through the other host', async () => {
    const ann = basicOf(replicas.ann);
    await run(one, ann);
    await run(one, ann);
    const waiting = answers42(one, ann);
    const queued = await until(async () => (await listOf(other, ann)).find(({ state }) => state === 'QUEUED'), {
      what: 'the waiting query',
      withinMs: 3_500,
    });
    expect(queued.sql).toBe('SELECT 42 AS n');
    expect(await receiptOf(other, queued.query_id, ann)).toMatchObject({ state: 'QUEUED', ended_ts: null });
    const cancelled = await send(`${other}/query/${queued.query_id}`, { method: 'DELETE', headers: { ...ann } });
    expect(cancelled.status).toBe(202);
    const answer = await waiting;
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"code":"QUERY_CANCELLED"')]);
    const receipt = await finalReceipt(other, queued.query_id, { credential: ann, withinMs: 3_000 });
    expect(receipt).toMatchObject({ state: 'CANCELLED', rows: 0 });
    expect((await listOf(other, ann)).map(({ state }) => state)).toEqual(['RUNNING', 'RUNNING']);
  }, 30_000);

  it('the other host returns live counts of a query within about a second', async () => {
    const ann = basicOf(replicas.ann);
    const query = await run(one, ann, PAUSING);
    const [listed] = await until(
      async () => {
        const list = await listOf(other, ann);
        return (list[0]?.rows ?? 0) > 0 ? list : undefined;
      },
      { what: 'its rows', withinMs: 10_000 },
    );
    expect(listed).toMatchObject({ query_id: query.queryId, state: 'RUNNING', bytes: expect.any(Number) });
    expect(listed?.bytes).toBeGreaterThan(listed?.rows ?? 0);
    const receipt = await receiptOf(other, query.queryId, ann);
    expect(receipt).toMatchObject({ state: 'RUNNING', ended_ts: null, sha256: null });
    expect(receipt['rows']).toBeGreaterThanOrEqual(listed?.rows ?? 0);
  });
});

describe('admission counts the queries of all stream hosts', () => {
  it('a user at their maximum waits on either host, and is served when a query ends on the other or gets 429', async () => {
    const ann = basicOf(replicas.ann);
    const query = await run(one, ann);
    await run(other, ann);
    const begun = performance.now();
    const [first, second] = [answers42(one, ann), answers42(other, ann)];
    const refused = await first;
    expect(performance.now() - begun).toBeGreaterThan(3_900);
    expect([refused.status, refused.body.error]).toEqual([429, 'too_many_requests']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await second).status).toBe(429);
    const waiting = answers42(other, ann);
    await until(() => (replicas.streams[1].context.admission.waiting === 1 ? true : undefined), {
      what: 'the wait',
      withinMs: 10_000,
    });
    query.disconnect();
    expect((await waiting).text).toContain('{"n":42}');
  }, 120_000);

  it('of forty concurrent queries of one user on both hosts at most two run, and each gets the right status', async () => {
    const user = await replicas.build.user(replicas.acme);
    const credential = basicOf(user);
    const sql = 'SELECT count(*) AS n FROM range(2000) a, range(2000) b WHERE (a.range * b.range) % 7 = 8';
    let most = 0;
    // The lists of running queries do not count slots: a query releases its slot before its outcome is recorded, and is listed until then.
    const watching = setInterval(() => {
      most = Math.max(
        most,
        replicas.streams.reduce((sum, { context }) => sum + context.workers.busy, 0),
      );
    }, 5);
    const asked = Array.from({ length: 40 }, (_, index) =>
      post(`${replicas.urls[index % 2]}/query`, { sql }, credential),
    );
    const answers = await Promise.all(asked);
    clearInterval(watching);
    expect(most).toBeLessThanOrEqual(2);
    expect(most).toBeGreaterThan(0);
    for (const answer of answers) {
      if (answer.status === 200) expect(answer.text).toContain('"complete"');
      else expect([answer.status, answer.body.error]).toEqual([429, 'too_many_requests']);
    }
    // Two run and three wait; the others are rejected immediately, except for slots that became free meanwhile.
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5);
  }, 60_000);

  it('the next slot of a tenant goes to a user without running queries, before longer waiting users of another host', async () => {
    const tenant = await replicas.build.tenant({ settings: { queriesPerTenant: 2 } });
    const host = { host: `${tenant.name}-stream.localhost` };
    const greedy = { ...basicOf(await replicas.build.user(tenant)), ...host };
    const modest = { ...basicOf(await replicas.build.user(tenant)), ...host };
    // fetch does not allow the Host header, so these use node:http and are cancelled by id.
    const running = [post(`${one}/query`, { sql: ENDLESS }, greedy), post(`${one}/query`, { sql: ENDLESS }, greedy)];
    const listed = await until(
      async () => {
        const list = await listOf(one, greedy);
        return list.length === 2 ? list : undefined;
      },
      { what: 'two queries', withinMs: 5_000 },
    );
    const later = [post(`${one}/query`, { sql: ENDLESS }, greedy), post(`${one}/query`, { sql: ENDLESS }, greedy)];
    await until(() => (replicas.streams[0].context.admission.waiting === 2 ? true : undefined), {
      what: 'the waits',
      withinMs: 10_000,
    });
    const served = answers42(other, modest);
    await until(() => (replicas.streams[1].context.admission.waiting === 1 ? true : undefined), {
      what: 'the wait',
      withinMs: 10_000,
    });
    await send(`${one}/query/${listed[0]?.query_id}`, { method: 'DELETE', headers: greedy });
    expect((await served).text).toContain('{"n":42}');
    // Waits until all have ended: a query that has just acquired its slot is neither waiting nor listed.
    const ended = Promise.all([...running, ...later]).then(() => true);
    while (!(await Promise.race([ended, wait(50)]))) {
      const left = await listOf(one, greedy);
      for (const { query_id } of left) await send(`${one}/query/${query_id}`, { method: 'DELETE', headers: greedy });
    }
  }, 60_000);
});
