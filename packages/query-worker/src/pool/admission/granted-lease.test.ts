import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { SentEvent } from '@sluice/engine';
import type { QueryJob } from '../../protocol/query-job.ts';
import { GrantedLease } from './granted-lease.ts';
import { StatementStarts } from './statement-starts.ts';
import type { PooledWorker } from './workers.ts';

const END: SentEvent = { kind: 'end', limited: false };
const JOB = { engine: { key: 'e' } } as QueryJob;

/** A worker that records its name when a statement starts on it. */
const workerOf = (started: string[], name: string, changes: Partial<PooledWorker> = {}): PooledWorker => ({
  isAlive: true,
  engineKey: 'e',
  lastRunMs: -1,
  wasLostBeforeFirstFrame: false,
  async *run() {
    started.push(name);
    yield END;
  },
  ...changes,
});

function fixture(startingMax: number) {
  const starts = new StatementStarts(startingMax);
  const started: string[] = [];
  const released: PooledWorker[] = [];
  const replacements: ((worker: PooledWorker) => void)[] = [];
  const unused: PooledWorker[] = [];
  const lease = (name: string, changes: Partial<PooledWorker> = {}): GrantedLease =>
    new GrantedLease({
      engineKey: 'e',
      worker: workerOf(started, name, changes),
      starts,
      replace: () => new Promise((resolve) => replacements.push(resolve)),
      release: (worker) => unused.push(worker),
      onEnd: (worker) => released.push(worker),
    });
  const next = (one: GrantedLease, signal = new AbortController().signal) => {
    const events = one.run(JOB, signal)[Symbol.asyncIterator]();
    return { events, first: events.next() };
  };
  return { started, released, replacements, unused, lease, next };
}

/** Resolves after all promises that are already resolved have run. */
const settled = (): Promise<void> => wait(0);

describe('a granted lease', () => {
  it('starts at most as many statements at once as allowed, and the next one when one has ended', async () => {
    const { started, lease, next } = fixture(2);
    const leases = ['a', 'b', 'c', 'd'].map((name) => lease(name));
    const runs = leases.map((one) => next(one));
    await settled();
    expect(started).toEqual(['a', 'b']);
    leases[1]?.[Symbol.dispose]();
    await runs[2]?.first;
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('starts the next statement although none has ended, because a long one does not count for long', async () => {
    const { started, lease, next } = fixture(1);
    const runs = [lease('a'), lease('b'), lease('c')].map((one) => next(one));
    expect(await Promise.all(runs.map(({ first }) => first))).toEqual(
      [1, 2, 3].map(() => ({ done: false, value: END })),
    );
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('runs on the worker that was used last of those that wait, and releases each worker once', async () => {
    const { started, released, lease, next } = fixture(9);
    const cold = lease('cold', { lastRunMs: 1 });
    const warm = lease('warm', { lastRunMs: 3 });
    lease('dead', { lastRunMs: 5, isAlive: false });
    lease('other engine', { lastRunMs: 5, engineKey: 'f' });
    lease('blank', { lastRunMs: -1, engineKey: undefined });
    await next(cold).first;
    await next(warm).first;
    expect(started).toEqual(['warm', 'cold']);
    for (const one of [cold, warm, cold]) one[Symbol.dispose]();
    expect(released.map(({ lastRunMs }) => lastRunMs)).toEqual([3, 1]);
  });

  it('keeps its worker for further statements, which do not wait', async () => {
    const { started, lease, next } = fixture(1);
    const one = lease('one');
    await next(one).first;
    lease('warmer', { lastRunMs: 9 });
    await next(one).first;
    expect(started).toEqual(['one', 'one']);
  });

  it('names the tables of a statement without a turn, and then runs it on the same worker in its turn', async () => {
    const { started, lease, next } = fixture(1);
    const [first, named] = [lease('first'), lease('named')];
    await next(first).first;
    const { signal } = new AbortController();
    await named
      .run({ ...JOB, wants: 'tables' }, signal)
      [Symbol.asyncIterator]()
      .next();
    lease('warmer', { lastRunMs: 9 });
    const { first: run } = next(named);
    await settled();
    expect(started).toEqual(['first', 'named']);
    first[Symbol.dispose]();
    await run;
    expect(started).toEqual(['first', 'named', 'named']);
  });

  it('rejects a statement that is cancelled before its turn, and the next one gets the turn', async () => {
    const { started, lease, next } = fixture(1);
    const [first, cancelled, last] = [lease('first'), lease('cancelled'), lease('last')];
    await next(first).first;
    const controller = new AbortController();
    const { first: rejected } = next(cancelled, controller.signal);
    const { first: run } = next(last);
    controller.abort(new Error('cancelled'));
    await expect(rejected).rejects.toThrow('cancelled');
    cancelled[Symbol.dispose]();
    first[Symbol.dispose]();
    await run;
    expect(started).toEqual(['first', 'last']);
  });

  it('runs nothing after its reader or its lease has ended', async () => {
    const { started, lease, next } = fixture(1);
    const [first, left, ended] = [lease('first'), lease('left'), lease('ended')];
    await next(first).first;
    const { events, first: afterReturn } = next(left);
    await events.return?.();
    left[Symbol.dispose]();
    const { first: afterEnd } = next(ended);
    ended[Symbol.dispose]();
    expect([await afterReturn, await afterEnd]).toEqual([1, 2].map(() => ({ done: true, value: undefined })));
    expect(started).toEqual(['first']);
  });

  describe('whose worker is lost before its first frame', () => {
    const LOST = {
      wasLostBeforeFirstFrame: true,
      run: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('lost')) }) }),
    };

    it('runs its statements on another one, and releases only that one', async () => {
      const { started, released, replacements, lease, next } = fixture(1);
      const one = lease('lost', LOST);
      const { first } = next(one);
      await settled();
      const fresh = workerOf(started, 'fresh');
      replacements[0]?.(fresh);
      expect(await first).toEqual({ done: false, value: END });
      await next(one).first;
      expect(started).toEqual(['fresh', 'fresh']);
      one[Symbol.dispose]();
      expect(released).toEqual([fresh]);
    });

    it('fails when the other one is lost too, and when the worker had sent a frame', async () => {
      const { started, replacements, lease, next } = fixture(2);
      const { first } = next(lease('lost', LOST));
      await settled();
      replacements[0]?.(workerOf(started, 'lost too', LOST));
      await expect(first).rejects.toThrow('lost');
      await expect(next(lease('late', { ...LOST, wasLostBeforeFirstFrame: false })).first).rejects.toThrow('lost');
      expect(replacements).toHaveLength(1);
    });

    it('gives back a worker that comes after its end', async () => {
      const { started, unused, replacements, lease, next } = fixture(1);
      const one = lease('lost', LOST);
      const { first } = next(one);
      await settled();
      one[Symbol.dispose]();
      const late = workerOf(started, 'late');
      replacements[0]?.(late);
      expect(await first).toEqual({ done: true, value: undefined });
      expect([unused, started]).toEqual([[late], []]);
    });
  });
});
