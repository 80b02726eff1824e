import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import type { JobHandler, JobQueue, JobQueueOptions, NewJob } from '../src/index.ts';

/** A back end that the contract can be run on. */
export interface JobsFixture extends AsyncDisposable {
  /** One more host; nobody's jobs but this test's are there. */
  open(options: JobQueueOptions): JobQueue;
  /** One more host, whose connections end at once, while it goes on working: a host that is dead to all others. */
  openDisconnectable(
    options: JobQueueOptions,
  ): Promise<{ readonly queue: JobQueue; disconnect(): void; reconnect(): void }>;
}

/** Quick where a test waits for it; adding may take as long as a busy machine needs. */
const QUICK = { addMs: 10_000, lockMs: 1_000, stalledMs: 500, retryMs: 50, stopMs: 2_000 } as const;
const SETTLE_MS = 1_500;
const HOOK_MS = 60_000;

async function until(holds: () => boolean, timeoutMs = 20_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`It did not happen within ${timeoutMs} ms: ${holds.toString()}`);
    await wait(10);
  }
}

async function addOnceBack(queue: JobQueue, job: NewJob): Promise<void> {
  let isTaken = false;
  for (const giveUpAt = performance.now() + 20_000; !isTaken && performance.now() < giveUpAt; ) {
    isTaken = await queue.add(job).then(
      () => true,
      () => false,
    );
    await wait(50); // refusals come at once, and would leave no turn to the connection
  }
}

/** What every back end of jobs promises. */
export function describeJobs(name: string, createFixture: () => Promise<JobsFixture>): void {
  describe(name, () => {
    const open: AsyncDisposable[] = [];
    const troubles: string[] = [];
    afterEach(async () => {
      for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
      troubles.length = 0;
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
      onTrouble: (message) => troubles.push(message),
    });
    const host = (fixture: JobsFixture, handler: JobHandler, concurrency?: number): JobQueue => {
      const queue = fixture.open(optionsOf(handler, concurrency));
      open.push(queue);
      return queue;
    };
    const job = (id: string) => ({ name: 'task', id, data: { id } });

    it('runs every job once, on whichever host', async () => {
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

    it('takes a job of an id that waits or runs for the same, and not one that is over', async () => {
      const fixture = await start();
      const done: string[] = [];
      let letGo: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const queue = host(fixture, async ({ id }) => {
        done.push(id ?? '');
        await held;
      });
      await queue.add(job('same'));
      await until(() => done.length === 1);
      for (let count = 0; count < 3; count += 1) await queue.add(job('same'));
      letGo();
      await wait(SETTLE_MS);
      expect(done).toEqual(['same']);
      await queue.add(job('same'));
      await until(() => done.length === 2);
    });

    it('runs no more at once on a host than it may', async () => {
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

    it('tries again what failed, and gives the handler the same data', async () => {
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

    it('gives the job of a dead host to another', async () => {
      const fixture = await start();
      const seen: string[] = [];
      const doomed = await fixture.openDisconnectable(
        optionsOf(async (_data, signal) => {
          seen.push('doomed');
          await wait(60_000, undefined, { signal }).catch(() => undefined);
        }),
      );
      open.push(doomed.queue);
      await doomed.queue.add(job('orphan'));
      await until(() => seen.length === 1);
      doomed.disconnect();
      host(fixture, async ({ id }) => void seen.push(`heir of ${id}`));
      await until(() => seen.length === 2);
      expect(seen).toEqual(['doomed', 'heir of orphan']);
    });

    it('aborts what runs when a host stops, and another host goes on with it', async () => {
      const fixture = await start();
      const seen: string[] = [];
      const stopping = fixture.open(
        optionsOf(async (_data, signal) => {
          seen.push('begun');
          await wait(60_000, undefined, { signal });
        }),
      );
      await stopping.add(job('handed over'));
      await until(() => seen.length === 1);
      const askedAt = performance.now();
      await stopping[Symbol.asyncDispose]();
      expect(performance.now() - askedAt).toBeLessThan(5_000);
      host(fixture, async ({ id }) => void seen.push(id ?? ''));
      await until(() => seen.length === 2);
      expect(seen).toEqual(['begun', 'handed over']);
    });

    it('leaves the process its turns while the back end is away from the start, and works once it is there', async () => {
      const fixture = await start();
      const seen: string[] = [];
      const doomed = await fixture.openDisconnectable(optionsOf(async ({ id }) => void seen.push(id ?? '')));
      doomed.disconnect(); // before its first connection stands
      open.push(doomed.queue);
      let turns = 0;
      const turning = setInterval(() => {
        turns += 1;
      }, 10);
      await wait(SETTLE_MS);
      clearInterval(turning);
      expect(turns).toBeGreaterThan(10);
      doomed.reconnect();
      await addOnceBack(doomed.queue, job('late'));
      await until(() => seen.includes('late'));
    });

    it('says soon that the back end takes no job, and takes jobs again when it is back', async () => {
      const fixture = await start();
      const seen: string[] = [];
      const doomed = await fixture.openDisconnectable(optionsOf(async ({ id }) => void seen.push(id ?? '')));
      open.push(doomed.queue);
      await doomed.queue.add(job('first'));
      await until(() => seen.includes('first'));
      doomed.disconnect();
      const askedAt = performance.now();
      const refused = await doomed.queue.add(job('second')).catch((thrown: unknown) => thrown);
      expect(refused).toBeInstanceOf(ProblemError);
      expect((refused as ProblemError).code).toBe('service_unavailable');
      expect(performance.now() - askedAt).toBeLessThan(3_000);
      doomed.reconnect();
      await addOnceBack(doomed.queue, job('third'));
      await until(() => seen.includes('third'));
    });
  });
}
