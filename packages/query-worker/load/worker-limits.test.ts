import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { scriptArguments } from '@sluice/testkit';
import {
  isRunning,
  jobOf,
  memoryOf,
  never,
  openPool,
  runIn,
  type TestPool,
  ticksOf,
  until,
} from '../testing/workers.ts';

const MIB = 1024 ** 2;
const reason = new ProblemError('query_cancelled', 'Cancelled by the test.');

let test: TestPool;
beforeAll(async () => {
  test = await openPool({ addressSpaceBytesMax: 1536 * MIB }); // a small address space is exhausted sooner
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

/** Cancels a running statement. Returns how long that took, and the process ids at that time. */
async function stop(sql: string): Promise<{ readonly ms: number; readonly pids: readonly number[] }> {
  await runIn(test, jobOf('SELECT 1 AS a')); // starts a worker, so that later processor time is the statement's
  const before = new Map(test.pool.pids.map((pid) => [pid, ticksOf(pid)]));
  const abort = new AbortController();
  const run = runIn(test, jobOf(sql), abort.signal);
  run.catch(() => undefined);
  await until(() => [...before].some(([pid, ticks]) => ticksOf(pid) - ticks > 20));
  const { pids } = test.pool;
  abort.abort(reason);
  const abortedAt = performance.now();
  await expect(run).rejects.toBe(reason);
  return { ms: performance.now() - abortedAt, pids };
}

const STOP_MS = 3_000;

async function stopInTime(sql: string): Promise<{ readonly ms: number; readonly pids: readonly number[] }> {
  const stopped = await stop(sql);
  expect(stopped.ms).toBeLessThan(STOP_MS);
  return stopped;
}

describe('a query worker', () => {
  it('is killed a second after a cancellation that its engine ignores', async () => {
    const sql = "SELECT levenshtein(repeat('ab', 40000 + i::INTEGER), repeat('ba', 40000)) AS d FROM range(1) AS r(i)";
    const { ms, pids } = await stopInTime(sql);
    expect(ms).toBeGreaterThan(500);
    await until(() => !pids.some(isRunning));
    expect(await runIn(test, jobOf('SELECT 1 AS a'))).toBe('{"a":1}');
  });

  it('is killed during planning too, which cannot be interrupted', async () => {
    await stopInTime("SELECT levenshtein(repeat('ab', 40000), repeat('ba', 40000)) AS d");
    expect(await runIn(test, jobOf('SELECT 1 AS a'))).toBe('{"a":1}');
  });

  it('is replaced when a statement is too complex to be checked in time', async () => {
    await runIn(test, jobOf('SELECT 1 AS a'));
    const { pids } = test.pool;
    const sql = `SELECT 1 AS a WHERE 1=1${' or 1=1'.repeat(35_000)}`;
    await expect(runIn(test, jobOf(sql))).rejects.toMatchObject({ code: 'resource_limit' });
    expect(await runIn(test, jobOf('SELECT 1 AS a'))).toBe('{"a":1}');
    await until(() => !pids.some(isRunning));
  });

  it('loses priority as its statement runs longer, and regains it or is replaced afterwards', async () => {
    await runIn(test, jobOf('SELECT 1 AS a'));
    const abort = new AbortController();
    const run = runIn(test, jobOf('SELECT i FROM range(100000000000) AS r(i) WHERE i < 0'), abort.signal);
    run.catch(() => undefined);
    await until(
      () => test.pool.pids.some((pid) => nicenessOf(pid).every((niceness) => niceness >= getPriority() + 10)),
      20_000,
    );
    abort.abort(reason);
    await expect(run).rejects.toBe(reason);
    expect(await runIn(test, jobOf('SELECT 1 AS a'))).toBe('{"a":1}');
    await until(() =>
      test.pool.pids.every((pid) => nicenessOf(pid).every((niceness) => niceness < getPriority() + 10)),
    );
  });

  const nicenessOf = (pid: number): readonly number[] => {
    const threads = isRunning(pid) ? readdirSync(`/proc/${pid}/task`).map(Number) : [];
    return threads.flatMap((thread) => (isRunning(thread) ? [getPriority(thread)] : []));
  };

  it('waits for a slow reader within bounded memory of worker and host', async () => {
    const lease = await test.acquire('slow', never());
    const [pid = 0] = test.pool.pids.slice(-1);
    const sql = "SELECT i, repeat('some text that makes the row longer', 30) AS t FROM range(900000) AS r(i)";
    const events = lease.run(jobOf(sql, 'slow'), never())[Symbol.asyncIterator]();
    for (let taken = 0; taken < 5; taken += 1) await events.next();
    const hostBefore = memoryOf(process.pid, 'VmRSS');
    await untilIdle(pid);
    const parked = memoryOf(pid, 'VmRSS');
    expect(parked).toBeLessThan(300 * MIB);
    expect(memoryOf(process.pid, 'VmRSS') - hostBefore).toBeLessThan(64 * MIB);
    let rows = 0;
    let most = 0;
    for (let step = await events.next(); step.done !== true; step = await events.next()) {
      if (step.value.kind === 'rows') rows += step.value.rows;
      if (rows % 16 === 0) most = Math.max(most, memoryOf(process.pid, 'VmRSS'));
    }
    lease[Symbol.dispose]();
    expect(rows).toBeGreaterThan(890_000);
    // The result has 900 MB. Much of what has been read may wait for the garbage collector: 220 MB were seen with Node.js 24.
    expect(most - hostBefore).toBeLessThan(384 * MIB);
    expect(memoryOf(pid, 'VmHWM')).toBeLessThan(400 * MIB);
  }, 120_000);

  /** Waits until the worker has used no processor time for half a second. */
  async function untilIdle(pid: number): Promise<void> {
    let ticks = -1;
    let since = performance.now();
    await until(() => {
      if (ticksOf(pid) !== ticks) {
        ticks = ticksOf(pid);
        since = performance.now();
      }
      return performance.now() - since > 500;
    });
  }

  it('ends with its host, even when the host is killed while an engine thread is busy', async () => {
    const host = spawn(process.execPath, scriptArguments(HOST_PROGRAM), {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(host.stdout, 'data')) as [Buffer];
    const pids = JSON.parse(line.toString('utf8')) as number[];
    expect(pids.length).toBeGreaterThan(0);
    await until(() => pids.some((pid) => ticksOf(pid) > 50));
    host.kill('SIGKILL');
    await until(() => !pids.some(isRunning), 3_000);
  });

  /** Program of a separate host: a pool with a statement that never ends. */
  const HOST_PROGRAM = `
    const { Admission, WorkerPool } = await import(${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)});
    const { tmpdir } = await import('node:os');
    const pool = new WorkerPool({
      workersMax: 2, workersWarm: 1, addressSpaceBytesMax: 2 * 1024 ** 3,
      tempParentFolder: tmpdir(), onWarning: () => undefined,
    });
    const signal = new AbortController().signal;
    const { createInProcessState } = await import(${JSON.stringify(new URL('../../shared-state/src/index.ts', import.meta.url).href)});
    const limits = { slots: 2, backgroundSlots: 0, tenantShare: 1, queriesPerUser: 2, queriesPerTenant: 2, queuedPerUser: 2,
      queuedPerTenant: 2, queueTimeoutMs: 10000 };
    const admission = new Admission(limits, { slots: createInProcessState().slots, workers: pool });
    const lease = await admission.acquire({ tenantId: 'acme', accountId: 'ann', engineKey: 'acme' }, signal);
    process.stdout.write(JSON.stringify(pool.pids));
    for await (const event of lease.run(${JSON.stringify(
      jobOf("SELECT levenshtein(repeat('ab', 100000 + i::INTEGER), repeat('ba', 100000)) AS d FROM range(1) AS r(i)"),
    )}, signal)) void event;`;
});

describe('the memory of a query worker', () => {
  /** Statements that exceed the engine's own limit, so that only the operating system bounds them. */
  const KILLERS = [
    'SELECT len(range(2000000000)) AS n',
    'SELECT len(list_transform(range(500000000), lambda x: x + 1)) AS n',
    "SELECT length(repeat('x', 1000000000) || repeat('y', 1000000000 + i::INTEGER)) AS n FROM range(1) AS r(i)",
    "SELECT list(i || repeat('x', 1000)) AS l FROM range(300000000) AS r(i)",
    'SELECT count(*) AS n FROM (SELECT unnest(range(100000000 + i)) AS a FROM range(1000) AS r(i))',
  ];

  it.each(KILLERS)(
    'is bounded by the operating system: %s',
    async (sql) => {
      const hostBefore = memoryOf(process.pid, 'VmRSS');
      const outcome = await runIn(test, jobOf(sql)).then(
        (text) => text,
        (thrown: unknown) => (thrown instanceof ProblemError ? thrown.code : thrown),
      );
      expect(outcome).toBe('resource_limit');
      expect(memoryOf(process.pid, 'VmRSS') - hostBefore).toBeLessThan(64 * MIB);
      expect(await runIn(test, jobOf('SELECT 1 AS a'))).toBe('{"a":1}');
    },
    120_000,
  );

  it('stays bounded during an exploding statement, which can be cancelled', async () => {
    const sql = 'SELECT count(*) AS n FROM (SELECT unnest(range(10000000)) AS a FROM range(100000))';
    await stopInTime(sql);
    expect(await runIn(test, jobOf('SELECT 1 AS a'))).toBe('{"a":1}');
  });

  it('is fully available to the statement after one that exhausted it', async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      await expect(runIn(test, jobOf(KILLERS[0] ?? ''))).rejects.toMatchObject({ code: 'resource_limit' });
      expect(await runIn(test, jobOf('SELECT len(list(i)) AS n FROM range(4000000) AS r(i)'))).toBe('{"n":4000000}');
    }
  }, 120_000);
});
