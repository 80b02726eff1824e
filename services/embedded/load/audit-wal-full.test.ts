import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { post } from '@sluice/testkit/requests';
import { recordsOf, type TimedQuery, timedQuery } from './disk-full-queries.ts';
import { type LimitedServer, startLimitedServer } from './limited-server.ts';

/** Smaller than a WAL segment (16 MiB) and larger than any table here, so that no WAL segment can be filled or created. */
const FILE_BYTES_MAX = 12 * 1024 * 1024;
const REFUSALS = 20;

let server: LimitedServer;
let hosts: TestHosts;

beforeAll(async () => {
  server = await startLimitedServer('full');
  hosts = await startHosts(
    { DATABASE_TIMEOUT: '1s' },
    {
      database: server.database,
      apiSettings: { DATABASE_TIMEOUT: '3s' },
    },
  );
}, 120_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

/**
 * Fills the existing segments until the server cannot create another one and ends all connections, and again after each recovery: one that
 * frees a segment would otherwise serve requests under the limit for minutes.
 */
async function fillWriteAheadLog(over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const isFull = await hosts.rows(`select pg_logical_emit_message(true, 'filler', repeat('x', 500000))`).then(
      () => false,
      () => true,
    );
    if (isFull) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Removes the limit. A server that could not recover has ended and is restarted, as a supervisor does. */
async function makeRoom(): Promise<void> {
  const isServing = () =>
    hosts.rows('select 1').then(
      () => true,
      () => false,
    );
  do {
    // Each time, because a process that was started meanwhile may have inherited the limit.
    await server.limitFiles('unlimited').catch(() => undefined);
    if (!(await server.isRunning())) await server.startAgain();
    await new Promise((resolve) => setTimeout(resolve, 50));
  } while (!(await isServing()));
}

describe('with a full disk of the write-ahead log', () => {
  it('no query runs unrecorded, requests get 503 within 3 s, both hosts stay up and recover within 5 s', async () => {
    expect((await timedQuery(hosts)).status).toBe(200);
    const answers: TimedQuery[] = [];
    const refusals = () => answers.filter(({ status }) => status !== 200);
    const ask = async (): Promise<void> => {
      while (refusals().length < REFUSALS) answers.push(await timedQuery(hosts));
    };
    await server.limitFiles(FILE_BYTES_MAX);
    const isOver = new AbortController();
    const filling = fillWriteAheadLog(isOver.signal);
    try {
      // Requests continue while the server fails, tries to recover and fails again.
      await Promise.all([ask(), ask(), ask()]);
      for (const { url } of [hosts.stream, hosts.api]) expect((await fetch(`${url}/health`)).status).toBe(200);
      const { email, password } = hosts.ann;
      let login = 200;
      while (login === 200) login = (await post(`${hosts.api.url}/auth/login/acme`, { email, password })).status;
      expect(login).toBe(503);
    } finally {
      isOver.abort();
      await filling;
    }
    expect(await server.log()).toMatch(/PANIC: +could not write to (log )?file/);
    expect(Math.max(...refusals().map(({ ms }) => ms))).toBeLessThan(3000);
    expect(new Set(refusals().map(({ status }) => status))).toEqual(new Set([503]));
    await makeRoom();
    const room = performance.now();
    while ((await timedQuery(hosts)).status !== 200) expect(performance.now() - room).toBeLessThan(5000);
    const served = answers.filter(({ status }) => status === 200);
    expect(await recordsOf(hosts, served)).toBe(served.length);
  }, 120_000);
});
