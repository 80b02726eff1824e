import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { caseSeed, openSlowReader, type SlowReader, seededRandom, until } from '@sluice/testkit';
import {
  busyProcesses,
  type ChildHost,
  isAlive,
  openDescriptors,
  residentBytes,
  startChildHost,
  startHosts,
  type TestHosts,
} from '@sluice/testkit/hosts';
import { basicOf, type Credential, idtoken, listOf, logIn, post, probeWorker } from '@sluice/testkit/requests';
import { ENDLESS } from '@sluice/testkit/statements';

const MIB = 1024 * 1024;
const PATHS = ['/query', '/query/download/json', '/query/download/csv'];
/** Matches the complete result of `SELECT 1 AS n` in any format. */
const ONE_ROW = /"n":1\}\}\n\ndata: \{"type":"complete"|"data":\s*\[\s*\{"n":1\}\s*\]|^n\r?\n1\r?\n$/;
const TEN_MILLION = `SELECT range AS n, repeat('x', 100) AS filler FROM range(10000000)`;

let hosts: TestHosts;
let host: ChildHost;
let ann: Credential;
let bob: Credential;
beforeAll(async () => {
  hosts = await startHosts({ WORKERS_MAX: '6', WORKERS_WARM: '2', QUERIES_PER_USER: '3', QUEUE_TIMEOUT: '3s' });
  host = await startChildHost(hosts, {
    WORKERS_MAX: '14',
    WORKERS_WARM: '2',
    QUERIES_PER_USER: '10',
    QUEUE_TIMEOUT: '20s',
    DRAIN_GRACE: '2s',
  });
  ann = basicOf(hosts.ann);
  bob = basicOf(await hosts.build.user(hosts.acme));
});
afterAll(async () => {
  host?.child.kill('SIGKILL');
  await hosts?.[Symbol.asyncDispose]();
});

const pidOf = ({ child }: ChildHost): number => child.pid ?? -1;

const open = (index: number, bytesPerSecond: number, credential: Credential): SlowReader =>
  openSlowReader({
    url: `${host.url}${PATHS[index % PATHS.length]}`,
    headers: { 'content-type': 'application/json', ...credential },
    body: JSON.stringify({ sql: TEN_MILLION }),
    bytesPerSecond,
  });

/** Waits until no query runs in the host or in any engine. */
const untilNothingRuns = (withinMs: number): Promise<true> =>
  until(
    async () => {
      const listed = await Promise.all([ann, bob].map((credential) => listOf(host.url, credential)));
      if (listed.some((queries) => queries.length > 0)) return undefined;
      return (await busyProcesses(await host.workerPids())).length === 0 ? true : undefined;
    },
    { what: 'the end of all queries', withinMs },
  );

/** Descriptors of the host without those of its workers, whose number depends on the load: a channel and standard error each. */
const ownDescriptors = async (): Promise<number> =>
  (await openDescriptors(pidOf(host))) - 2 * (await host.workerPids()).length;

const untilDescriptors = (most: number): Promise<true> =>
  until(async () => ((await ownDescriptors()) <= most ? true : undefined), {
    what: 'the descriptors',
    withinMs: 15_000, // idle connections to the database are kept for ten seconds
  });

/** Returns the peak resident memory of the host during `work`. */
async function peakDuring(work: Promise<unknown>): Promise<number> {
  let peak = 0;
  const sampling = setInterval(async () => {
    peak = Math.max(peak, await residentBytes(pidOf(host)));
  }, 100);
  await work.finally(() => clearInterval(sampling));
  return peak;
}

describe('readers of ten million rows', () => {
  it('ten at 50 KB/s in all formats grow the host by less than 64 MiB and 8 MiB each', async () => {
    await Promise.all(PATHS.map((path) => post(`${host.url}${path}`, { sql: 'SELECT * FROM numbers' }, ann)));
    const before = await residentBytes(pidOf(host));
    const readers = Array.from({ length: 10 }, (_, index) => open(index, 50_000, ann));
    const peak = await peakDuring(Promise.all(readers.map((reader) => reader.untilBytes(350_000))));
    expect(await listOf(host.url, ann)).toHaveLength(10);
    expect(peak - before).toBeLessThan((64 + 8 * readers.length) * MIB);
    for (const reader of readers) reader.abort();
    await untilNothingRuns(3000);
  }, 120_000);

  const seed = caseSeed();

  it(`two hundred that disconnect at any byte leak no query, descriptor or memory (seed ${seed})`, async () => {
    const random = seededRandom(seed);
    const leave = (): Promise<unknown> =>
      Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          using reader = open(index, Number.POSITIVE_INFINITY, index % 2 === 0 ? ann : bob);
          const bytes = index < 3 ? index : Math.floor(random() * 1_000_000);
          await reader.untilBytes(bytes);
          reader.abort();
        }),
      );
    const before = { bytes: await residentBytes(pidOf(host)), descriptors: await ownDescriptors() };
    for (let wave = 0; wave < 10; wave += 1) await leave();
    await untilNothingRuns(3000);
    await untilDescriptors(before.descriptors + 4);
    expect((await residentBytes(pidOf(host))) - before.bytes).toBeLessThan(64 * MIB);
    expect(await hosts.rows('select query_id from queries where ended is null')).toEqual([]);
    expect(await probeWorker(host.url, ann)).toBe(true);
  }, 180_000);
});

describe('the load of one user', () => {
  it('of fifty concurrent queries stays within the limit, others get 429 in time, and other users are served immediately', async () => {
    let isOver = false;
    let most = 0;
    const leaving = new AbortController();
    const answers = Promise.allSettled(
      Array.from({ length: 50 }, async () => {
        const response = await fetch(`${hosts.url}/query`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...ann },
          body: JSON.stringify({ sql: ENDLESS }),
          signal: leaving.signal,
        });
        if (response.status === 429) await response.text();
        return response; // undici closes the connection of a response that is garbage-collected
      }),
    ).finally(() => {
      isOver = true;
    });
    const times: number[] = [];
    while (!isOver) {
      const running = (await listOf(hosts.url, ann)).filter(({ state }) => state === 'RUNNING');
      most = Math.max(most, running.length);
      const asked = performance.now();
      expect(await probeWorker(hosts.url, bob)).toBe(true);
      times.push(performance.now() - asked);
    }
    const statuses = (await answers).map((settled) => (settled.status === 'fulfilled' ? settled.value : undefined));
    leaving.abort();
    expect(most).toBe(3);
    expect(statuses.filter((answer) => answer?.status === 200)).toHaveLength(3);
    expect(
      statuses.filter((answer) => answer?.status === 429 && Number(answer.headers.get('retry-after')) > 0),
    ).toHaveLength(47);
    // The first query may have to wait for the start of processes, which takes seconds on a busy machine.
    expect(times.sort((a, b) => a - b)[Math.floor(times.length / 2)]).toBeLessThan(1000);
    expect(times.at(-1)).toBeLessThan(3000);
    await until(() => (hosts.stream.context.running.size === 0 ? true : undefined), {
      what: 'the end of all queries',
      withinMs: 3000,
    });
  }, 120_000);

  it('of a thousand concurrent requests in all formats with both credentials returns only 200 and 429, and the host stays up', async () => {
    const { id_token } = await logIn(hosts, hosts.ann);
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, index) => {
        const path = PATHS[index % PATHS.length];
        return post(`${hosts.url}${path}`, { sql: 'SELECT 1 AS n' }, index % 2 === 0 ? ann : idtoken(id_token));
      }),
    );
    const served = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect(served.length).toBeGreaterThan(0);
    const others = answers.filter(({ status }) => status !== 200 && status !== 429);
    expect(others.map(({ status, text }) => [status, text])).toEqual([]);
    for (const { text, isWhole } of served) {
      expect([text, isWhole]).toEqual([expect.stringMatching(ONE_ROW), true]);
    }
    for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(await probeWorker(hosts.url, bob)).toBe(true);
  }, 120_000);
});

describe('SIGTERM under load', () => {
  it('lets short queries end, reports or cuts the others, ends all workers and exits with 0', async () => {
    const slow = [0, 1, 2, 3, 4, 5].map((index) => open(index, 2_000_000, ann));
    await Promise.all(slow.map((reader) => reader.untilBytes(10_000)));
    const workers = await host.workerPids();
    let isEnding = false;
    const small = Array.from({ length: 4 }, async () => {
      const seen: string[] = [];
      for (;;) {
        const answer = await post(`${host.url}/query`, { sql: 'SELECT count(*) AS n FROM numbers' }, bob).catch(
          () => undefined,
        );
        if (answer === undefined) return seen; // the host has stopped listening
        if (answer.status === 200) seen.push(/"type":"(complete|error)"/.exec(answer.text)?.[1] ?? 'cut');
        else seen.push(String(answer.status));
        if (!isEnding) continue;
        if (answer.status === 503) return seen;
      }
    });
    await until(async () => ((await probeWorker(host.url, bob)) ? true : undefined), { what: 'load', withinMs: 5000 });
    const begun = performance.now();
    host.child.kill('SIGTERM');
    isEnding = true;
    for (const reader of slow) void reader.ended.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 0));
    for (const reader of slow) reader.readAt(Number.POSITIVE_INFINITY);
    expect(await host.exited).toEqual({ code: 0, signal: null });
    expect(performance.now() - begun).toBeLessThan(12_000);
    for (const seen of await Promise.all(small)) {
      expect(new Set(seen)).toEqual(new Set([...seen.filter((word) => word === 'complete').slice(0, 1), '503']));
    }
    await Promise.all(slow.map((reader) => reader.ended));
    for (const [index, reader] of slow.entries()) {
      const text = reader.received().toString('latin1').slice(-400);
      const isCsv = index % PATHS.length === 2;
      expect([index, text.includes('SERVER_SHUTDOWN'), text.endsWith('\r\n0\r\n\r\n')]).toEqual([
        index,
        !isCsv,
        !isCsv,
      ]);
      reader[Symbol.dispose]();
    }
    await until(async () => ((await Promise.all(workers.map(isAlive))).some((alive) => alive) ? undefined : true), {
      what: 'the end of all workers',
      withinMs: 3000,
    });
    expect(await hosts.rows('select query_id from queries where ended is null')).toEqual([]);
  }, 120_000);
});
