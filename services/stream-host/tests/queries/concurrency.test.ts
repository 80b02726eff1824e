import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, shortOrLong, until } from '@sluice/testkit';
import { startHosts, TESTED_ENGINE, type TestHosts } from '@sluice/testkit/hosts';
import {
  basicOf,
  type Credential,
  eventsOf,
  listOf,
  post,
  probeWorker,
  queryIdOf,
  receiptOf,
  sha256Of,
  startQuery,
} from '@sluice/testkit/requests';
import { countTo, ENDLESS } from '@sluice/testkit/statements';

const rowsIn = async (answer: ReceivedResponse): Promise<number> =>
  (await eventsOf(answer)).filter(({ type }) => type === 'row').length;

describe('concurrent queries', () => {
  let hosts: TestHosts;
  let callers: readonly Credential[];
  beforeAll(async () => {
    hosts = await startHosts({ WORKERS_MAX: '4', WORKERS_WARM: '2', QUEUE_TIMEOUT: '25s' });
    const users = await Promise.all([1, 2, 3].map(() => hosts.build.user(hosts.acme)));
    const globexUser = await hosts.build.user(hosts.globex);
    callers = [...users.map(basicOf), { ...basicOf(globexUser), host: 'globex-stream.localhost' }];
  }, 120_000);
  afterAll(async () => await hosts?.[Symbol.asyncDispose]());

  it('returns its own rows to each of two queries of one user', async () => {
    const [caller] = callers;
    const answers = await Promise.all(
      ['a', 'b'].map((name) => post(`${hosts.url}/query`, { sql: `SELECT '${name}' AS name FROM numbers` }, caller)),
    );
    for (const [index, answer] of answers.entries()) {
      expect(await rowsIn(answer)).toBe(100_000);
      expect(answer.text).toContain(`{"name":"${'ab'[index]}"}`);
      expect(answer.text).not.toContain(`{"name":"${'ba'[index]}"}`);
    }
  });

  it('completes the queries of four users and two tenants on four workers, with exact receipts', async () => {
    const paths = ['/query', '/query/download/json', '/query/download/csv'];
    const runs = Array.from({ length: shortOrLong(12, 30) }, async (_, index) => {
      const caller = callers[index % callers.length] ?? {};
      const count = 1000 * index + 7;
      const sql = `SELECT n, ${index} AS mine FROM (${countTo(count)}) AS counted`;
      const answer = await post(`${hosts.url}${paths[index % 3]}`, { sql }, caller);
      return { answer, caller, count, index };
    });
    for (const { answer, caller, count, index } of await Promise.all(runs)) {
      expect([answer.status, answer.isWhole]).toEqual([200, true]);
      const rows = [
        async () => rowsIn(answer),
        async () => answer.body.data.length as number,
        async () => answer.text.split('\n').length - 2,
      ];
      expect(await rows[index % 3]?.()).toBe(count);
      expect(await receiptOf(hosts.url, queryIdOf(answer), caller)).toMatchObject({
        state: 'FINISHED',
        rows: count,
        bytes: answer.bytes.length,
        sha256: sha256Of(answer.bytes),
      });
    }
    expect(hosts.stream.context.workers.size).toBeLessThanOrEqual(4);
    expect(hosts.stream.context.running.size).toBe(0);
  });
});

describe('a burst on a host that has just started', () => {
  it('completes forty streams of five users with the default limits, none with 429', async () => {
    // A Trino that shares its processors with other tests may need more than the default of 10 s for forty statements.
    const queueTimeout = TESTED_ENGINE === 'trino' ? { QUEUE_TIMEOUT: '25s' } : {};
    await using hosts = await startHosts({
      WORKERS_MAX: String(shortOrLong(4, 9)),
      WORKERS_WARM: '2',
      ...queueTimeout,
    });
    const users = await Promise.all(Array.from({ length: 5 }, () => hosts.build.user(hosts.acme)));
    const streams = Array.from({ length: 40 }, (_, index) => {
      const sql = `SELECT n, ${index} AS mine FROM (${countTo(100)}) AS counted`;
      return post(`${hosts.url}/query`, { sql }, basicOf(users[index % users.length] ?? hosts.ann));
    });
    const answers = await Promise.all(streams);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (const answer of answers) expect(await rowsIn(answer)).toBe(100);
  });
});

describe('when all workers are busy', () => {
  let hosts: TestHosts;
  let ann: Credential;
  let bob: Credential;
  beforeAll(async () => {
    hosts = await startHosts({ WORKERS_MAX: '1', WORKERS_WARM: '1', QUEUE_TIMEOUT: '2s' });
    ann = basicOf(hosts.ann);
    bob = basicOf(await hosts.build.user(hosts.acme));
  }, 120_000);
  afterAll(async () => await hosts?.[Symbol.asyncDispose]());

  const recordCount = async (): Promise<number> =>
    (await hosts.rows<{ n: number }>('select count(*)::int as n from audit_log'))[0]?.n ?? -1;

  it('returns 429 with Retry-After after QUEUE_TIMEOUT on every route and records nothing', async () => {
    const started = await startQuery(hosts.url, ENDLESS, ann);
    const before = await recordCount();
    const paths = ['/query', '/query/download/json', '/query/download/csv'];
    const refused = await Promise.all(paths.map((path) => post(`${hosts.url}${path}`, { sql: 'SELECT 1' }, bob)));
    for (const answer of refused) {
      expect([answer.status, answer.body.error]).toEqual([429, 'too_many_requests']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(answer.headers['x-query-id']).toBeUndefined();
    }
    expect(await recordCount()).toBe(before);
    started.disconnect();
  });

  it('assigns the worker to a waiting query as soon as it is free', async () => {
    const started = await startQuery(hosts.url, ENDLESS, ann);
    const waiting = post(`${hosts.url}/query`, { sql: 'SELECT 5 AS n' }, bob);
    started.disconnect();
    expect((await waiting).text).toContain('{"n":5}');
  });

  it('neither runs nor records a waiting query whose client disconnects', async () => {
    const started = await startQuery(hosts.url, ENDLESS, ann);
    const leaving = new AbortController();
    const before = await recordCount();
    const waiting = fetch(`${hosts.url}/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bob },
      body: JSON.stringify({ sql: 'SELECT 1' }),
      signal: leaving.signal,
    });
    await until(() => (hosts.stream.context.admission.waiting === 1 ? true : undefined), {
      what: 'the wait',
    });
    leaving.abort();
    await expect(waiting).rejects.toThrow();
    await until(() => (hosts.stream.context.admission.waiting === 0 ? true : undefined), {
      what: 'the end of the wait',
    });
    started.disconnect();
    await until(async () => ((await listOf(hosts.url, ann)).length === 0 ? true : undefined), {
      what: 'the end of the query',
    });
    expect(await probeWorker(hosts.url, ann)).toBe(true);
    // Two records of the probe and the outcome of the first query.
    expect(await recordCount()).toBe(before + 3);
  });

  it('replaces the process of the one worker when the tenant changes', async () => {
    const globexUser = basicOf(await hosts.build.user(hosts.globex));
    const pidsOf = async (caller: Credential): Promise<readonly number[]> => {
      expect((await post(`${hosts.url}/query`, { sql: 'SELECT count(*) AS n FROM items' }, caller)).text).toContain(
        '{"n":3}',
      );
      return hosts.stream.context.workers.pids;
    };
    const [own] = await pidsOf(ann);
    expect(await pidsOf(ann)).toEqual([own]);
    const [theirs] = await pidsOf({ ...globexUser, host: 'globex-stream.localhost' });
    expect(theirs).not.toBe(own);
    expect(await pidsOf(ann)).not.toEqual([theirs]);
  });
});
