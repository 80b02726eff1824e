import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send, until } from '@sluice/testkit';
import {
  busyProcesses,
  type ChildHost,
  residentBytes,
  startChildHost,
  startHosts,
  type TestHosts,
} from '@sluice/testkit/hosts';
import { basicOf, type Credential, eventsOf, listOf, post, probeWorker, startQuery } from '@sluice/testkit/requests';

const MIB = 1024 * 1024;

/** Each bypasses the engine's memory limit. Without a limit of the operating system they take gigabytes (measured). */
const KILLERS = [
  'SELECT len(range(2000000000)) AS n',
  'SELECT len(list_transform(range(500000000), lambda x: x + 1)) AS n',
  'SELECT sum(n) AS n FROM (SELECT unnest(range(100000000)) AS n FROM range(1000))',
  `SELECT length(repeat('x', 1000000000)) AS n`,
  `SELECT len(list(a.range || repeat('x', 100))) AS n FROM range(100000000) a`,
];

/** Statements that ignore interrupts (measured) and cannot be computed while planning. */
const UNINTERRUPTIBLE = [
  `SELECT levenshtein(repeat('a', 90000 + n::INTEGER), repeat('b', 90000)) AS d FROM numbers LIMIT 1`,
  `SELECT length(regexp_replace(repeat('ab', 40000000 + n::INTEGER), '(a|b|ab)*?c', 'x', 'g')) AS d FROM numbers LIMIT 1`,
  'SELECT list_reduce(range(20000000 + n), lambda x, y: (x * 31 + y) % 1000003) AS d FROM numbers LIMIT 1',
  `SELECT md5(repeat('x', 300000000 + n::INTEGER)) AS d FROM numbers LIMIT 40`,
];

/** Rows of 640 bytes that have to be sorted. */
const sorted = (rows: number): string =>
  `SELECT max(x) AS last, count(*) AS n FROM (
     SELECT md5(range::VARCHAR) || repeat('x', 600) AS x FROM range(${rows}) ORDER BY hash(range), x OFFSET 5)`;
/** More than the memory of a worker, less than its memory and disk together. */
const SPILLS = sorted(900_000);
const OVERFLOWS = sorted(2_400_000);
const SPILLS_AGAIN = 5;

let hosts: TestHosts;
let host: ChildHost;
let temp: string;
let ann: Credential;
let bob: Credential;
beforeAll(async () => {
  hosts = await startHosts({ WORKERS_WARM: '2' });
  temp = join(hosts.folder, 'temp');
  host = await startChildHost(hosts, {
    WORKER_MEMORY: '1536MiB',
    WORKER_TEMP: '512MiB',
    WORKERS_MAX: '8',
    WORKERS_WARM: '3',
    DUCKDB_PLANNING_TIME: '2s',
    TMPDIR: temp,
  });
  ann = basicOf(hosts.ann);
  bob = basicOf(await hosts.build.user(hosts.acme));
});
afterAll(async () => {
  host?.child.kill('SIGKILL');
  await hosts?.[Symbol.asyncDispose]();
});

const query = (sql: string, credential = ann): Promise<ReceivedResponse> =>
  post(`${host.url}/query`, { sql }, credential);

/** DuckDB computes constants while planning, which has a separate limit. Both limits name the resource. */
const LIMITS =
  /^The query (?:exceeded its memory limit\.|needed more memory than a query may use\.|was not run: planning it took more than )/;

async function assertLimit(answer: ReceivedResponse): Promise<void> {
  const events = await eventsOf(answer);
  expect(events.filter(({ type }) => type === 'row' || type === 'complete')).toEqual([]);
  expect(events.filter(({ type }) => type === 'error')).toEqual([
    expect.objectContaining({ code: 'RESOURCE_LIMIT', error: expect.stringMatching(LIMITS) }),
  ]);
}

const QUICK_MS = 1000;
const TRIES_MAX = 4;
/** A 99th percentile needs at least this many samples. */
const TIMES_MIN = 100;

/** Runs `SELECT 1` of another user repeatedly during `load`, and returns the sorted times. */
async function timesDuring(load: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  const loading = (async () => {
    do await load();
    while (times.length < TIMES_MIN);
  })().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const begun = performance.now();
    expect((await query('SELECT 1 AS one', bob)).text).toContain('{"one":1}');
    times.push(performance.now() - begun);
  }
  await loading;
  return times.sort((a, b) => a - b);
}

/**
 * Asserts a 99th percentile of at most a second during `load`. Other programs on the machine only add to it, so the best of a few
 * tries counts.
 */
async function assertQuickDuring(load: () => Promise<unknown>): Promise<void> {
  const p99s: number[] = [];
  while (p99s.length < TRIES_MAX && !p99s.some((ms) => ms < QUICK_MS)) {
    const times = await timesDuring(load);
    p99s.push(times[Math.ceil(times.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY);
  }
  expect(Math.min(...p99s)).toBeLessThan(QUICK_MS);
}

const foldersOfWorkers = async (): Promise<readonly string[]> => {
  const roots = await readdir(temp);
  const found = await Promise.all(roots.map((root) => readdir(join(temp, root)).catch(() => [])));
  return found.flat();
};
const filesOfWorkers = async (): Promise<readonly string[]> => {
  const all = await readdir(temp, { recursive: true }).catch(() => []);
  return all.filter((path) => path.includes('duckdb_temp'));
};

describe('queries that need more memory than available', () => {
  it('end with RESOURCE_LIMIT one after the other, while another user is served', async () => {
    await query('SELECT 1');
    const before = await residentBytes(host.child.pid ?? -1);
    await assertQuickDuring(async () => {
      for (const sql of KILLERS) {
        await assertLimit(await query(sql));
        expect((await query('SELECT count(*) AS n FROM items')).text).toContain('{"n":3}');
      }
    });
    expect((await residentBytes(host.child.pid ?? -1)) - before).toBeLessThan(64 * MIB);
  }, 180_000);

  it('end with RESOURCE_LIMIT when five run at once, and the host does not grow', async () => {
    const before = await residentBytes(host.child.pid ?? -1);
    await assertQuickDuring(() => Promise.all(KILLERS.map(async (sql) => await assertLimit(await query(sql)))));
    expect((await residentBytes(host.child.pid ?? -1)) - before).toBeLessThan(64 * MIB);
    expect(await probeWorker(host.url, ann)).toBe(true);
  }, 180_000);
});

describe('data that exceeds the memory of a worker', () => {
  it('is written to a private folder within WORKER_TEMP that no SQL can read, and is deleted afterwards', async () => {
    const small = query(SPILLS);
    await until(async () => ((await filesOfWorkers()).length > 0 ? true : undefined), {
      what: 'a temporary file',
      withinMs: 15_000,
    });
    const [file = ''] = await filesOfWorkers();
    for (const sql of [
      `SELECT * FROM read_blob('${join(temp, file)}')`,
      `SELECT * FROM glob('${temp}/**')`,
      `SELECT * FROM '${join(temp, file)}'`,
      `SELECT * FROM duckdb_temporary_files()`,
      `SELECT current_setting('temp_directory') AS folder`,
    ]) {
      const refused = await query(sql, bob);
      expect(refused.text).toMatch(/"code":"(?:READ_ONLY|TABLE_NOT_FOUND)"/);
      expect(refused.text).not.toContain('"metadata"');
    }
    expect((await small).text).toContain('"n":899995}');
    expect(await filesOfWorkers()).toEqual([]);
    // The allocator's fragmentation differs from worker to worker, so one success does not show that the engine spills in time.
    for (let again = 0; again < SPILLS_AGAIN; again += 1) expect((await query(SPILLS)).text).toContain('"n":899995}');
    await assertLimit(await query(OVERFLOWS));
    await until(async () => ((await filesOfWorkers()).length === 0 ? true : undefined), {
      what: 'the end of temporary files',
      withinMs: 5000,
    });
    const workers = await host.workerPids();
    expect((await foldersOfWorkers()).length).toBeLessThanOrEqual(workers.length + 1);
  });
});

describe('functions that cannot be interrupted', () => {
  it('end within 3 s of a cancel, and their workers are replaced', async () => {
    const started = await Promise.all(UNINTERRUPTIBLE.map((sql) => startQuery(host.url, sql, ann)));
    const workers = await host.workerPids();
    await until(async () => ((await busyProcesses(workers)).length > 1 ? true : undefined), {
      what: 'busy workers',
      withinMs: 5000,
    });
    expect(await listOf(host.url, ann)).toHaveLength(UNINTERRUPTIBLE.length);
    const begun = performance.now();
    for (const { queryId } of started) {
      const answer = await send(`${host.url}/query/${queryId}`, { method: 'DELETE', headers: { ...ann } });
      expect(answer.status).toBe(202);
    }
    for (const { text } of started) expect(await text).toContain('"code":"QUERY_CANCELLED"');
    await until(async () => ((await busyProcesses(workers)).length === 0 ? true : undefined), {
      what: 'the end of all computing',
      withinMs: 3000,
    });
    expect(performance.now() - begun).toBeLessThan(3000);
    expect(await probeWorker(host.url, ann)).toBe(true);
  }, 120_000);
});

describe('a worker', () => {
  it('whose engine still runs a cancelled statement is replaced', async () => {
    const before = await host.workerPids();
    const answer = await query('SELECT list_reduce(range(10000000), lambda x, y: (x * 31 + y) % 1000003) AS d');
    expect(answer.text).toContain('"code":"RESOURCE_LIMIT"');
    expect(await probeWorker(host.url, ann)).toBe(true);
    await until(async () => ((await busyProcesses(before)).length === 0 ? true : undefined), {
      what: 'the end of the busy worker',
      withinMs: 3000,
    });
  }, 120_000);

  it('that is killed is replaced, so that the warm pool is full again within 5 s', async () => {
    const { workers } = hosts.stream.context;
    await until(() => (workers.size >= 2 ? true : undefined), { what: 'a warm pool', withinMs: 10_000 });
    const killed = workers.pids;
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    await until(() => (workers.pids.filter((pid) => !killed.includes(pid)).length >= 2 ? true : undefined), {
      what: 'new workers',
      withinMs: 5000,
    });
    expect(await probeWorker(hosts.url, ann)).toBe(true);
  });

  it('deletes its temporary files when its host is killed', async () => {
    const lost = query(OVERFLOWS).catch(() => undefined);
    await until(async () => ((await filesOfWorkers()).length > 0 ? true : undefined), {
      what: 'a temporary file',
      withinMs: 15_000,
    });
    host.child.kill('SIGKILL');
    await lost;
    await until(async () => ((await foldersOfWorkers()).length === 0 ? true : undefined), {
      what: 'the end of all folders',
      withinMs: 3000,
    });
  }, 120_000);
});

describe('a condition that takes DuckDB seconds to parse', () => {
  it('is rejected after 2 s of processor time, and the worker is replaced', async () => {
    const sql = `SELECT 1 WHERE ${'1=1 or '.repeat(30_000)}1=1`;
    const begun = performance.now();
    const answer = await post(`${hosts.url}/query`, { sql }, ann);
    // A new worker may have to start first.
    expect(performance.now() - begun).toBeLessThan(20_000);
    expect((await eventsOf(answer)).at(-1)).toMatchObject({ code: 'RESOURCE_LIMIT' });
    expect(await probeWorker(hosts.url, ann)).toBe(true);
    expect(hosts.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});
