import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
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
  it('keeps processes warm, and replaces the one it hands out', async () => {
    const { pool, acquire } = await openTestPool({ workersMax: 3, workersWarm: 1 });
    await until(() => pool.size === 1);
    const [warm] = pool.pids;
    const lease = await acquire('acme', never());
    expect(pool.pids).toContain(warm);
    await until(() => pool.size === 2);
    lease[Symbol.dispose]();
  });

  it('starts another process for who waits when one could not be started, and tells the operator why', async () => {
    const inTheWay = join(await mkdtemp(join(tmpdir(), 'sluice-pool-')), 'file');
    await writeFile(inTheWay, '');
    const told: string[] = [];
    const onTrouble = (message: string): void => {
      if (told.push(message) === 1) void rm(inTheWay);
    };
    const { acquire } = await openTestPool({
      workersMax: 1,
      tempParentFolder: join(inTheWay, 'temp'),
      onTrouble,
    });
    expect(await runIn({ acquire }, ONE)).toBe('{"a":1}');
    expect(told).toEqual([expect.stringMatching(/^a query worker could not be started: .*ENOTDIR/)]);
    await rm(join(inTheWay, '..'), { recursive: true });
  });

  it('tells who waits when a second process could not be started either', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-pool-'));
    await writeFile(join(folder, 'file'), '');
    const { pool, acquire } = await openTestPool({ workersMax: 1, tempParentFolder: join(folder, 'file', 'temp') });
    await expect(acquire('acme', never())).rejects.toMatchObject({ code: 'engine_unavailable' });
    expect(pool.isBroken).toBe(true);
    await rm(folder, { recursive: true });
  });

  it('gives a worker back to its own tenant, and never to another', async () => {
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

  it('serves as many tenants in turn as it has places, one after the other', async () => {
    const { pool, acquire } = await openTestPool({ workersMax: 2 });
    const tenants = ['a', 'b', 'c', 'a', 'c', 'b', 'd'];
    const results = await Promise.all(
      tenants.map((tenant) => runIn({ acquire }, jobOf(`SELECT '${tenant}' AS t`, tenant))),
    );
    expect(results).toEqual(tenants.map((tenant) => `{"t":"${tenant}"}`));
    expect(pool.size).toBeLessThanOrEqual(2);
  });

  it('replaces a process that dies while it is idle', async () => {
    const { pool, acquire } = await openTestPool({ workersMax: 1, workersWarm: 1 });
    await until(() => pool.size === 1);
    const [pid] = pool.pids;
    process.kill(pid ?? 0, 'SIGKILL');
    await until(() => pool.size === 1 && !pool.pids.includes(pid ?? 0));
    expect(await runIn({ acquire }, ONE)).toBe('{"a":1}');
  });

  it('makes a result fail, never end, when its process dies, and serves the next one', async () => {
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

  it('refuses who waits too long, and only then', async () => {
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

  it('lets go of who gives up waiting, and serves the one behind', async () => {
    const { acquire } = await openTestPool({ workersMax: 1 });
    const lease = await acquire('acme', never());
    const abort = new AbortController();
    const reason = new ProblemError('query_cancelled', 'Gone.');
    const impatient = acquire('acme', abort.signal);
    const patient = acquire('acme', never());
    abort.abort(reason);
    await expect(impatient).rejects.toBe(reason);
    lease[Symbol.dispose]();
    expect(await runOn(await patient, ONE)).toBe('{"a":1}');
    await expect(acquire('acme', AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('serves those who wait in their order', async () => {
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
    expect(pool.pids).toEqual(pids); // one that has served nobody yet serves anybody
  });

  it('kills no worker that those who wait can use, however many they are', async () => {
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

  it('leaves the last idle worker to others until the one that a statement spoilt is replaced', async () => {
    const { pool, acquire } = await openTestPool({ workersMax: 2, workersWarm: 2 });
    await until(() => pool.size === 2);
    const lease = await acquire('acme', never(), 'killer');
    const running = runOn(lease, jobOf('SELECT i FROM range(1000000000) AS r(i)'));
    running.catch(() => undefined);
    const { pids } = pool;
    const order: string[] = [];
    const modest = await acquire('acme', never(), 'modest');
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await expect(running).rejects.toBeInstanceOf(ProblemError);
    lease[Symbol.dispose]();
    const again = acquire('acme', never(), 'killer').then((mine) => {
      order.push('killer');
      return mine;
    });
    const first = acquire('acme', never(), 'patient').then((mine) => {
      order.push('patient');
      return mine;
    });
    for (const mine of await Promise.all([again, first])) mine[Symbol.dispose]();
    modest[Symbol.dispose]();
    expect(order).toEqual(['patient', 'killer']);
  });

  it('takes a lease back once, however often it is given', async () => {
    const { acquire } = await openTestPool({ workersMax: 1 });
    const lease = await acquire('acme', never());
    lease[Symbol.dispose]();
    lease[Symbol.dispose]();
    const next = await acquire('acme', never());
    await expect(acquire('acme', AbortSignal.timeout(50))).rejects.toThrow();
    next[Symbol.dispose]();
  });

  it('leaves no process behind, whatever they do, those that are starting too', async () => {
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

  it('says nothing to the operator as long as nothing is wrong', async () => {
    const { acquire, troubles } = await openTestPool();
    await runIn({ acquire }, ONE);
    await expect(runIn({ acquire }, jobOf('SELECT nope'))).rejects.toMatchObject({ code: 'column_not_found' });
    expect(troubles).toEqual([]);
  });
});
