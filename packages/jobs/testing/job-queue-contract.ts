import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import type { JobHandler, JobQueue, JobQueueOptions, NewJob } from '../src/index.ts';

/** A back end for the contract. */
interface JobsFixture extends AsyncDisposable {
  /** Opens one more host. The back end holds no jobs of other tests. */
  open(options: JobQueueOptions): JobQueue;
  /** Opens a host that can be disconnected while it continues to run, so that it appears dead to all others. */
  openDisconnectable(
    options: JobQueueOptions,
  ): Promise<{ readonly queue: JobQueue; disconnect(): void; reconnect(): void }>;
}

/** Short where a test waits; adding may take as long as a busy machine needs. */
const QUICK = { addMs: 10_000, lockMs: 1_000, stalledMs: 500, retryMs: 50, stopMs: 2_000 } as const;
const SETTLE_MS = 1_500;
const HOOK_MS = 60_000;

async function until(holds: () => boolean, timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`Not true within ${timeoutMs} ms: ${holds.toString()}`);
    await wait(10);
  }
}

/** Adds a job, with retries until the queue is available. */
async function addWithRetries(queue: JobQueue, job: NewJob): Promise<void> {
  let isAdded = false;
  for (const deadline = performance.now() + 60_000; !isAdded && performance.now() < deadline; ) {
    isAdded = await queue.add(job).then(
      () => true,
      () => false,
    );
    await wait(50); // immediate rejections would leave the connection no turn of the event loop
  }
}

/** Contract of every back end for jobs. */
export function describeJobs(name: string, createFixture: () => Promise<JobsFixture>): void {
  describe(name, () => {
    const open: AsyncDisposable[] = [];
    const warnings: string[] = [];
    afterEach(async () => {
      for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
      warnings.length = 0;
    }, HOOK_MS);

    const start = async (): Promise<JobsFixture> => {
      const fixture = await createFixture();
      open.push(fixture);
      return fixture;
    };
    const optionsOf = (handler: JobHandler, concurrency = 2): JobQueueOptions => ({
      handlers: { task: handler },
      concurrency,
      timeouts: QUICK,
      onWarning: (message) => warnings.push(message),
    });
    const host = (fixture: JobsFixture, handler: JobHandler, concurrency?: number): JobQueue => {
      const queue = fixture.open(optionsOf(handler, concurrency));
      open.push(queue);
      return queue;
    };
    const job = (id: string) => ({ name: 'task', id, data: { id } });

    it('runs every job once, on any host', async () => {
      const fixture = await start();
      const done: string[] = [];
      const handler: JobHandler = async ({ id }) => void done.push(id ?? '');
      const hosts = [host(fixture, handler), host(fixture, handler), host(fixture, handler)];
      const ids = Array.from({ length: 60 }, (_, index) => `job-${index}`);
      await Promise.all(ids.map((id, index) => hosts[index % hosts.length]?.add(job(id))));
      await until(() => done.length >= ids.length);
      await wait(SETTLE_MS);
      expect(done.sort()).toEqual(ids.sort());
    });

    it('ignores a job with the id of a waiting or running one, and accepts the id of an ended one', async () => {
      const fixture = await start();
      const done: string[] = [];
      let finish: () => void = () => undefined;
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const queue = host(fixture, async ({ id }) => {
        done.push(id ?? '');
        await finished;
      });
      await queue.add(job('same'));
      await until(() => done.length === 1);
      for (let count = 0; count < 3; count += 1) await queue.add(job('same'));
      finish();
      await wait(SETTLE_MS);
      expect(done).toEqual(['same']);
      await queue.add(job('same'));
      await until(() => done.length === 2);
    });

    it('runs at most `concurrency` jobs at once on a host', async () => {
      const fixture = await start();
      const counts = { now: 0, most: 0, done: 0 };
      const queue = host(fixture, async () => {
        counts.now += 1;
        counts.most = Math.max(counts.most, counts.now);
        await wait(20);
        counts.now -= 1;
        counts.done += 1;
      });
      await Promise.all(Array.from({ length: 12 }, (_, index) => queue.add(job(`job-${index}`))));
      await until(() => counts.done === 12);
      expect(counts.most).toBe(2);
    });

    it('retries a failed job with the same data', async () => {
      const fixture = await start();
      const seen: string[] = [];
      const queue = host(fixture, async ({ id }) => {
        seen.push(id ?? '');
        if (seen.length < 3) throw new Error('not yet');
      });
      await queue.add(job('stubborn'));
      await until(() => seen.length === 3);
      await wait(SETTLE_MS);
      expect(seen).toEqual(['stubborn', 'stubborn', 'stubborn']);
    });

    it('hands the job of a dead host to another host', async () => {
      const fixture = await start();
      const seen: string[] = [];
      const isolated = await fixture.openDisconnectable(
        optionsOf(async (_data, signal) => {
          seen.push('isolated');
          await wait(60_000, undefined, { signal }).catch(() => undefined);
        }),
      );
      open.push(isolated.queue);
      await isolated.queue.add(job('orphan'));
      await until(() => seen.length === 1);
      isolated.disconnect();
      host(fixture, async ({ id }) => void seen.push(`successor of ${id}`));
      await until(() => seen.length === 2);
      expect(seen).toEqual(['isolated', 'successor of orphan']);
    });

    it('aborts the running jobs of a stopping host, and another host runs them', async () => {
      const fixture = await start();
      const seen: string[] = [];
      const stopping = fixture.open(
        optionsOf(async (_data, signal) => {
          seen.push('started');
          await wait(3_600_000, undefined, { signal });
        }),
      );
      await stopping.add(job('handed over'));
      await until(() => seen.length === 1);
      await stopping[Symbol.asyncDispose]();
      host(fixture, async ({ id }) => void seen.push(id ?? ''));
      await until(() => seen.length === 2);
      expect(seen).toEqual(['started', 'handed over']);
    });

    it('does not block the event loop while the back end is unavailable at the start, and works afterwards', async () => {
      const fixture = await start();
      const seen: string[] = [];
      const isolated = await fixture.openDisconnectable(optionsOf(async ({ id }) => void seen.push(id ?? '')));
      isolated.disconnect(); // before its first connection is open
      open.push(isolated.queue);
      let turns = 0;
      const turning = setInterval(() => {
        turns += 1;
      }, 10);
      await wait(SETTLE_MS);
      clearInterval(turning);
      expect(turns).toBeGreaterThan(10);
      isolated.reconnect();
      await addWithRetries(isolated.queue, job('late'));
      await until(() => seen.includes('late'));
    });

    it('rejects a job while the back end is unavailable, and accepts jobs again afterwards', async () => {
      const fixture = await start();
      const seen: string[] = [];
      const options = optionsOf(async ({ id }) => void seen.push(id ?? ''));
      // A queue that only gave up after `addMs` would exceed the limit of the test.
      const patient = { ...options, timeouts: { ...options.timeouts, addMs: 3_600_000 } };
      const isolated = await fixture.openDisconnectable(patient);
      open.push(isolated.queue);
      await isolated.queue.add(job('first'));
      await until(() => seen.includes('first'));
      isolated.disconnect();
      const refused = await isolated.queue.add(job('second')).catch((thrown: unknown) => thrown);
      expect(refused).toBeInstanceOf(ProblemError);
      expect((refused as ProblemError).code).toBe('service_unavailable');
      isolated.reconnect();
      await addWithRetries(isolated.queue, job('third'));
      await until(() => seen.includes('third'));
    });
  });
}
