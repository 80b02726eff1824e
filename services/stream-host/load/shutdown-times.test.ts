import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabaseProxy, openSlowReader, send, until } from '@sluice/testkit';
import { type ChildHost, isAlive, startChildHost, startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, post, startQuery } from '@sluice/testkit/requests';
import { ENDLESS, LONG, PAUSING, UNINTERRUPTIBLE } from '@sluice/testkit/statements';

// What happens on a signal is tested in tests/operations/shutdown.test.ts, beside other tests. These limits need a quiet machine.
const GRACE_MS = 6_000;

let hosts: TestHosts;
let ann: Credential;
let host: ChildHost | undefined;
const opened: AsyncDisposable[] = [];
beforeAll(async () => {
  hosts = await startHosts({ WORKERS_MAX: '8', WORKERS_WARM: '1' });
  ann = basicOf(hosts.ann);
}, 120_000);
afterAll(async () => {
  host?.child.kill('SIGKILL');
  for (const each of opened) await each[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
});

const untilGone = (pids: readonly number[], withinMs: number): Promise<boolean> =>
  until(async () => ((await Promise.all(pids.map(isAlive))).some((alive) => alive) ? undefined : true), {
    what: 'the end of all workers',
    withinMs,
  });

const untilRunning = (count: number): Promise<boolean> =>
  until(
    async () => ((await hosts.rows('select 1 from queries where ended is null')).length >= count ? true : undefined),
    { what: `${count} running queries`, withinMs: 10_000 },
  );

describe('a stopped host', () => {
  it('is unhealthy within a second of SIGTERM, exits within 4 s of its grace, and leaves no worker for a second', async () => {
    host = await startChildHost(hosts, { DRAIN_GRACE: `${GRACE_MS}ms` });
    const { text } = await startQuery(host.url, ENDLESS, ann);
    const file = post(`${host.url}/query/download/csv`, { sql: PAUSING }, ann);
    await untilRunning(2);
    const workers = await host.workerPids();
    expect(workers.length).toBeGreaterThanOrEqual(2);
    const { url } = host;
    const signalledMs = performance.now();
    host.child.kill('SIGTERM');
    await until(async () => ((await send(`${url}/health`)).status === 503 ? true : undefined), {
      what: '503 of the probe',
      withinMs: 1_000,
    });
    expect(await text).toContain('SERVER_SHUTDOWN');
    expect((await file).isWhole).toBe(false);
    expect(await host.exited).toEqual({ code: 0, signal: null });
    expect(performance.now() - signalledMs).toBeLessThan(GRACE_MS + 4_000);
    expect(await untilGone(workers, 1_000)).toBe(true);
  });

  it('exits within 10 s of its grace when PostgreSQL hangs and a client reads nothing', async () => {
    const proxy = await createDatabaseProxy(hosts.testDatabase.streamUrl);
    opened.push(proxy);
    const graceMs = 1_000;
    host = await startChildHost(hosts, { DRAIN_GRACE: `${graceMs}ms`, DATABASE_URL: proxy.url });
    const stalled = openSlowReader({
      url: `${host.url}/query/download/csv`,
      headers: { 'content-type': 'application/json', ...ann },
      body: JSON.stringify({ sql: LONG }),
      bytesPerSecond: 0,
    });
    opened.push({ [Symbol.asyncDispose]: async () => stalled[Symbol.dispose]() });
    await untilRunning(1);
    proxy.hang();
    const signalledMs = performance.now();
    host.child.kill('SIGTERM');
    expect(await host.exited).toEqual({ code: 0, signal: null });
    expect(performance.now() - signalledMs).toBeLessThan(graceMs + 10_000);
  });

  it('leaves no worker for 3 s after SIGKILL, even with a statement that cannot be interrupted', async () => {
    host = await startChildHost(hosts);
    const { text } = await startQuery(host.url, UNINTERRUPTIBLE, ann);
    await untilRunning(1);
    const workers = await host.workerPids();
    host.child.kill('SIGKILL');
    await expect(text).rejects.toThrow();
    expect(await untilGone(workers, 3_000)).toBe(true);
  });
});
