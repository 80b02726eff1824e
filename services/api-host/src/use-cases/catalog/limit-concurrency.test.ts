import { describe, expect, it } from '@jest/globals';
import { limitConcurrency } from './limit-concurrency.ts';

/** Work that ends when the test releases it, with the number of calls that run at once. */
function controlledWork() {
  const releases: (() => void)[] = [];
  const state = { running: 0, runningMax: 0 };
  const work = async (): Promise<void> => {
    state.running += 1;
    state.runningMax = Math.max(state.runningMax, state.running);
    await new Promise<void>((resolve) => releases.push(resolve));
    state.running -= 1;
  };
  return { state, work, releases };
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

describe('limitConcurrency', () => {
  it('runs at most the configured number of calls per key at once, in order of arrival', async () => {
    const limited = limitConcurrency({ runningMax: 2, waitingMax: 10 });
    const { state, work, releases } = controlledWork();
    const ended: number[] = [];
    const all = Array.from({ length: 6 }, (_, index) => limited('a', work).then(() => ended.push(index)));
    while (ended.length < 6) {
      await nextTick();
      releases.shift()?.();
    }
    await Promise.all(all);
    expect(ended).toEqual([0, 1, 2, 3, 4, 5]);
    expect(state.runningMax).toBe(2);
  });

  it('runs the next call after one that fails', async () => {
    const limited = limitConcurrency({ runningMax: 1, waitingMax: 10 });
    const failing = limited('a', () => Promise.reject(new Error('no')));
    const next = limited('a', async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('rejects a call when too many calls of its key wait, and accepts calls of other keys', async () => {
    const limited = limitConcurrency({ runningMax: 1, waitingMax: 1 });
    const { work, releases } = controlledWork();
    const first = limited('a', work);
    const second = limited('a', work);
    await expect(limited('a', work)).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 1 });
    expect(await limited('b', async () => 'at once')).toBe('at once');
    await nextTick();
    releases.shift()?.();
    await first;
    await nextTick();
    releases.shift()?.();
    await second;
  });
});
