import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { formatSpec } from '@sluice/engine/testing';
import {
  isRunning,
  jobOf,
  never,
  openPool,
  runIn,
  runOn,
  type TestPool,
  type TestPoolOptions,
  until,
} from '../../testing/workers.ts';

const open: TestPool[] = [];
async function openTestPool(options: TestPoolOptions = {}): Promise<TestPool> {
  const test = await openPool(options);
  open.push(test);
  return test;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((test) => test[Symbol.asyncDispose]()));
});

const ONE = jobOf('SELECT 1 AS a');

describe('WorkerPool', () => {
  it('keeps processes warm, and starts another for the one it hands out', async () => {
    const { pool, acquire } = await openTestPool({ workersMax: 3, workersWarm: 1 });
    await until(() => pool.size === 1);
    const [warm] = pool.pids;
    const lease = await acquire('acme', never());
    expect(pool.pids).toContain(warm);
    await until(() => pool.size === 2);
    lease[Symbol.dispose]();
  });

  it('retries after a failed start and reports why it failed', async () => {
    const obstacle = join(await mkdtemp(join(tmpdir(), 'sluice-pool-')), 'file');
    await writeFile(obstacle, '');
    const messages: string[] = [];
    const onWarning = (message: string): void => {
      if (messages.push(message) === 1) void rm(obstacle);
    };
    const { acquire } = await openTestPool({
      workersMax: 1,
      tempParentFolder: join(obstacle, 'temp'),
      onWarning,
    });
    expect(await runIn({ acquire }, ONE)).toBe('{"a":1}');
    expect(messages).toEqual([expect.stringMatching(/^a query worker could not be started: .*ENOTDIR/)]);
    await rm(join(obstacle, '..'), { recursive: true });
  });

  it('rejects a waiting request after a second failed start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-pool-'));
    await writeFile(join(folder, 'file'), '');
    const { pool, acquire } = await openTestPool({ workersMax: 1, tempParentFolder: join(folder, 'file', 'temp') });
    await expect(acquire('acme', never())).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(pool.isBroken).toBe(true);
    await rm(folder, { recursive: true });
  });

  it('replaces a worker whose temporary folder was removed from outside before its next statement', async () => {
    const tempParentFolder = await mkdtemp(join(tmpdir(), 'sluice-pool-'));
    const { pool, acquire, warnings } = await openTestPool({ workersMax: 1, tempParentFolder });
    const parquet = jobOf('SELECT 1 AS a', 'acme', formatSpec({ name: 'parquet' }));
    await runIn({ acquire }, parquet);
    const [first] = pool.pids;
    await rm(tempParentFolder, { recursive: true });
    expect(await runIn({ acquire }, parquet)).toContain('PAR1');
    expect(warnings).toEqual([`query worker ${first} was replaced: its temporary folder was removed from outside`]);
    await rm(tempParentFolder, { recursive: true, force: true });
  });

  it('reuses a worker for its own tenant, and never for another', async () => {
    const { pool, acquire } = await openTestPool({ workersMax: 1 });
    await runIn({ acquire }, ONE);
    const [first] = pool.pids;
    await runIn({ acquire }, ONE);
    expect(pool.pids).toEqual([first]);
    await runIn({ acquire }, jobOf('SELECT 1 AS a', 'globex'));
    expect(pool.pids).toHaveLength(1);
    expect(pool.pids).not.toContain(first);
    await until(() => !isRunning(first ?? 0));
  });

  it('serves more tenants than it has workers, in turn', async () => {
    const { pool, acquire } = await openTestPool({ workersMax: 2 });
    const tenants = ['a', 'b', 'c', 'a', 'c', 'b', 'd'];
    const results = await Promise.all(
      tenants.map((tenant) => runIn({ acquire }, jobOf(`SELECT '${tenant}' AS t`, tenant))),
    );
    expect(results).toEqual(tenants.map((tenant) => `{"t":"${tenant}"}`));
    expect(pool.size).toBeLessThanOrEqual(2);
  });

  it('replaces an idle process that dies', async () => {
    const { pool, acquire } = await openTestPool({ workersMax: 1, workersWarm: 1 });
    await until(() => pool.size === 1);
    const [pid] = pool.pids;
    process.kill(pid ?? 0, 'SIGKILL');
    await until(() => pool.size === 1 && !pool.pids.includes(pid ?? 0));
    expect(await runIn({ acquire }, ONE)).toBe('{"a":1}');
  });

  it('runs statements once more whose idle workers were killed before they began', async () => {
    const { pool, acquire, warnings } = await openTestPool({ workersMax: 2, workersWarm: 2 });
    await until(() => pool.size === 2);
    const { pids } = pool;
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    const runs = [ONE, ONE, ONE].map((job) => runIn({ acquire }, job)); // in the same turn: the host has not noticed
    expect(await Promise.all(runs)).toEqual(['{"a":1}', '{"a":1}', '{"a":1}']);
    expect([...warnings].sort()).toEqual(
      pids.toSorted().map((pid) => `query worker ${pid} ended unexpectedly (code null, signal SIGKILL)`),
    );
  });

  it('fails a result, without an end event, when its process dies, and serves the next statement', async () => {
    const { pool, acquire } = await openTestPool({ workersMax: 1 });
    const lease = await acquire('acme', never());
    const events = lease.run(jobOf('SELECT i FROM range(1000000000) AS r(i)'), never())[Symbol.asyncIterator]();
    const kinds = [(await events.next()).value?.kind, (await events.next()).value?.kind];
    process.kill(pool.pids[0] ?? 0, 'SIGKILL');
    const drain = async (): Promise<void> => {
      for (let step = await events.next(); step.done !== true; step = await events.next()) kinds.push(step.value.kind);
    };
    await expect(drain()).rejects.toBeInstanceOf(ProblemError);
    expect(kinds).not.toContain('end');
    lease[Symbol.dispose]();
    expect(await runIn({ acquire }, ONE)).toBe('{"a":1}');
  });

  it('refuses a request only after the queue timeout', async () => {
    const { pool, acquire } = await openTestPool({ workersMax: 1, workersWarm: 1, queueTimeoutMs: 200 });
    await until(() => pool.size === 1);
    const lease = await acquire('acme', never());
    await expect(acquire('acme', never())).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterSeconds: 5,
    });
    const waiting = acquire('acme', never());
    lease[Symbol.dispose]();
    (await waiting)[Symbol.dispose]();
  });

  it('removes an aborted request from the queue, and serves the next one', async () => {
    const { acquire } = await openTestPool({ workersMax: 1 });
    const lease = await acquire('acme', never());
    const abort = new AbortController();
    const reason = new ProblemError('query_cancelled', 'Gone.');
    const aborted = acquire('acme', abort.signal);
    const waiting = acquire('acme', never());
    abort.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    lease[Symbol.dispose]();
    expect(await runOn(await waiting, ONE)).toBe('{"a":1}');
    await expect(acquire('acme', AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('serves waiting requests in order', async () => {
    const { pool, acquire } = await openTestPool({ workersMax: 1 });
    const lease = await acquire('acme', never());
    const order: number[] = [];
    const waiting = [1, 2, 3, 4].map(async (number) => {
      const mine = await acquire('acme', never());
      order.push(number);
      mine[Symbol.dispose]();
    });
    lease[Symbol.dispose]();
    const pids = pool.pids;
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3, 4]);
    expect(pool.pids).toEqual(pids); // a worker without an engine serves any tenant
  });

  it('kills no worker that a waiting request can use, however many requests wait', async () => {
    const { pool, acquire } = await openTestPool({ workersMax: 3, workersWarm: 1 });
    await runIn({ acquire }, ONE);
    const seen = new Set(pool.pids);
    const served = Array.from({ length: 12 }, async () => {
      const lease = await acquire('acme', never(), 'greedy');
      expect(await runOn(lease, ONE)).toBe('{"a":1}');
      for (const pid of pool.pids) seen.add(pid);
      lease[Symbol.dispose]();
    });
    await Promise.all(served);
    expect(new Set(pool.pids)).toEqual(seen);
  });

  it('reserves the last idle worker for other accounts until a lost worker is replaced', async () => {
    const { pool, acquire } = await openTestPool({ workersMax: 2, workersWarm: 2 });
    await until(() => pool.size === 2);
    const lease = await acquire('acme', never(), 'killer');
    const events = lease.run(jobOf('SELECT i FROM range(1000000000) AS r(i)'), never())[Symbol.asyncIterator]();
    await events.next(); // a statement that has sent nothing would run again
    const { pids } = pool;
    const order: string[] = [];
    const modest = await acquire('acme', never(), 'modest');
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    const rest = (async () => {
      while ((await events.next()).done !== true);
    })();
    await expect(rest).rejects.toBeInstanceOf(ProblemError);
    lease[Symbol.dispose]();
    const again = acquire('acme', never(), 'killer').then((mine) => {
      order.push('killer');
      return mine;
    });
    const first = acquire('acme', never(), 'other').then((mine) => {
      order.push('other');
      return mine;
    });
    for (const mine of await Promise.all([again, first])) mine[Symbol.dispose]();
    modest[Symbol.dispose]();
    expect(order).toEqual(['other', 'killer']);
  });

  it('releases a lease once, even when it is disposed of twice', async () => {
    const { acquire } = await openTestPool({ workersMax: 1 });
    const lease = await acquire('acme', never());
    lease[Symbol.dispose]();
    lease[Symbol.dispose]();
    const next = await acquire('acme', never());
    await expect(acquire('acme', AbortSignal.timeout(50))).rejects.toThrow();
    next[Symbol.dispose]();
  });

  it('leaves no process behind when it is closed, neither running nor starting ones', async () => {
    const test = await openTestPool({ workersMax: 3, workersWarm: 2 });
    const lease = await test.acquire('acme', never());
    const running = runOn(
      lease,
      jobOf('SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range % 7 = b.range % 11'),
    );
    running.catch(() => undefined);
    const waiting = [1, 2, 3].map(() => test.acquire('globex', never()));
    for (const wait of waiting) wait.catch(() => undefined);
    await until(() => test.pool.size > 0);
    const { pids } = test.pool;
    await test[Symbol.asyncDispose]();
    expect(pids.filter(isRunning)).toEqual([]);
    expect(test.pool.size).toBe(0);
    await expect(running).rejects.toBeInstanceOf(ProblemError);
    await expect(test.acquire('acme', never())).rejects.toMatchObject({ code: 'server_shutdown' });
  });

  it('reports nothing while nothing is wrong', async () => {
    const { acquire, warnings } = await openTestPool();
    await runIn({ acquire }, ONE);
    await expect(runIn({ acquire }, jobOf('SELECT nope'))).rejects.toMatchObject({ code: 'column_not_found' });
    expect(warnings).toEqual([]);
  });
});
