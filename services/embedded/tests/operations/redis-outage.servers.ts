import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { send, until } from '@sluice/testkit';
import { type Replicas, startApiChildHost, startChildHost, startReplicas } from '@sluice/testkit/hosts';
import {
  assertPromptProbes,
  assertWithin,
  basicOf,
  type Credential,
  finalReceipt,
  idtoken,
  listOf,
  logIn,
  post,
  type StartedQuery,
  startQuery,
} from '@sluice/testkit/requests';
import { ENDLESS } from '@sluice/testkit/statements';

// Run by `npm run test:redis`, which provides a Redis; `npm test` needs no server.
let replicas: Replicas;
let ann: Credential;
let urls: readonly [string, string];
let running: readonly StartedQuery[] = [];

beforeAll(async () => {
  replicas = await startReplicas({ QUERIES_PER_USER: '2', QUEUE_TIMEOUT: '10s' });
  urls = replicas.urls;
  ann = idtoken((await logIn({ api: replicas.apis[0] }, replicas.ann)).id_token);
}, 120_000);
afterAll(async () => await replicas?.[Symbol.asyncDispose]());
/** The maximum of ann's queries, one on each host. */
beforeEach(async () => {
  running = await Promise.all(urls.map((url) => startQuery(url, ENDLESS, ann)));
}, 120_000);
afterEach(async () => {
  for (const query of running) query.disconnect();
  for (const { queryId } of running) await finalReceipt(urls[0], queryId, { credential: ann, withinMs: 5_000 });
});

const select42 = (url: string, credential: Credential = ann) =>
  post(`${url}/query`, { sql: 'SELECT 42 AS n' }, credential);

/** Returns the ids of ann's queries that hold a slot. Waiting and recently rejected ones are listed as QUEUED. */
const runningIds = async (url: string): Promise<ReadonlySet<string>> =>
  new Set((await listOf(url, ann)).flatMap(({ query_id, state }) => (state === 'RUNNING' ? [query_id] : [])));

/** Asserts that the earlier queries are still running and no other query of ann has a slot. */
async function expectOnlyOld(): Promise<void> {
  expect(await runningIds(urls[0])).toEqual(new Set(running.map(({ queryId }) => queryId)));
}

async function expectRefusals(): Promise<void> {
  const paths = ['/query', '/query/download/json', '/query/download/csv'];
  await assertWithin({ what: '503 of three paths of all hosts without Redis', withinMs: 3_000 }, async () => {
    const asked = urls.flatMap((url) => paths.map((path) => post(`${url}${path}`, { sql: 'SELECT 1' }, ann)));
    for (const answer of await Promise.all(asked)) {
      expect([answer.status, answer.body.error]).toEqual([503, 'service_unavailable']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(answer.text).not.toMatch(/127\.0\.0\.1|ECONN|redis|timed out/i);
    }
  });
}

/** Sends queries of ann until all hosts are ready. None may be admitted until then, nor while her two queries run. */
async function expectRecovery(): Promise<void> {
  const begun = performance.now();
  let isOver = false;
  const statuses: number[] = [];
  const asking = urls.map(async (url) => {
    while (!isOver) statuses.push((await select42(url)).status);
  });
  await replicas.untilReady(5_000);
  expect(performance.now() - begun).toBeLessThan(5_000);
  await expectOnlyOld();
  running[0]?.disconnect();
  // One slot is free now, so a waiting or a new query is admitted.
  await until(() => (statuses.includes(200) ? true : undefined), { what: 'an admitted query', withinMs: 15_000 });
  isOver = true;
  await Promise.all(asking);
  expect(new Set(statuses)).toEqual(new Set(statuses.includes(503) ? [200, 503] : [200]));
}

describe('a Redis that is', () => {
  const BREAKS = {
    killed: { break: () => replicas.redis.kill(), restore: () => replicas.redis.start() },
    hung: { break: async () => replicas.redis.suspend(), restore: async () => replicas.redis.resume() },
  };

  it.each(['killed', 'hung'] as const)(
    '%s rejects new queries within 3 s, running ones continue, probes report it, and hosts recover within 5 s',
    async (how) => {
      await BREAKS[how].break();
      await expectRefusals();
      for (const { url } of [...replicas.streams, ...replicas.apis]) {
        const lost = async () => ((await send(`${url}/health`)).body.status === 'degraded' ? true : undefined);
        await until(lost, { what: 'a degraded health', withinMs: 5_000 });
        const ready = await assertPromptProbes(url);
        expect([ready.status, ready.body.checks.redis, ready.body.checks.postgres]).toEqual([503, 'down', 'ok']);
      }
      expect((await post(`${replicas.apis[1].url}/auth/login/acme`, replicas.ann)).status).not.toBe(503);
      // Longer than a lease: running queries must keep their slots.
      await wait(7_000);
      await expectRefusals();
      await expectOnlyOld();
      await BREAKS[how].restore();
      await expectRecovery();
    },
    60_000,
  );

  it('emptied keeps the slots of running queries', async () => {
    await replicas.redis.command('FLUSHALL');
    await expectRecovery();
  }, 60_000);

  it('repeatedly emptied never admits a third query', async () => {
    let most = 0;
    const asked: Promise<unknown>[] = [];
    for (let round = 0; round < 8; round += 1) {
      await replicas.redis.command('FLUSHALL');
      asked.push(...urls.map((url) => select42(url)));
      await wait(400);
      most = Math.max(most, (await runningIds(urls[1])).size);
    }
    expect(most).toBe(2);
    await replicas.untilReady(5_000);
    running[0]?.disconnect();
    await Promise.all(asked);
  }, 60_000);
});

describe('a stream host that is killed', () => {
  it('releases its slots within seconds', async () => {
    const bob = basicOf(await replicas.build.user(replicas.acme));
    const child = await startChildHost({ environment: replicas.environment });
    await startQuery(child.url, ENDLESS, bob);
    await startQuery(child.url, ENDLESS, bob);
    child.child.kill('SIGKILL');
    await child.exited;
    const begun = performance.now();
    expect((await select42(urls[0], bob)).text).toContain('{"n":42}');
    expect(performance.now() - begun).toBeLessThan(10_000);
  }, 60_000);
});

describe('a stream host that is stopped', () => {
  it('stops in order while Redis hangs', async () => {
    const child = await startChildHost({ environment: { ...replicas.environment, DRAIN_GRACE: '1s' } });
    const bob = basicOf(await replicas.build.user(replicas.acme));
    const query = await startQuery(child.url, ENDLESS, bob);
    replicas.redis.suspend();
    const begun = performance.now();
    child.child.kill('SIGTERM');
    expect(await query.text).toContain('"code":"SERVER_SHUTDOWN"');
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(performance.now() - begun).toBeLessThan(10_000);
    replicas.redis.resume();
    await replicas.untilReady(5_000);
  }, 60_000);
});

describe('the logs of an outage', () => {
  it('report each change once, without addresses that contain a password', () => {
    const failures = replicas.logLines.filter((line) => line.includes('redis_failed'));
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.length).toBeLessThan(100);
    expect(failures.join()).not.toContain('redis://');
  });
});

describe('an API host that is stopped', () => {
  it('stops within its grace and 10 s while Redis hangs', async () => {
    const child = await startApiChildHost({ environment: { ...replicas.apiEnvironment, DRAIN_GRACE: '1s' } });
    replicas.redis.suspend();
    const begun = performance.now();
    child.child.kill('SIGTERM');
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(performance.now() - begun).toBeLessThan(11_000);
    replicas.redis.resume();
    await replicas.untilReady(5_000);
  }, 60_000);
});
