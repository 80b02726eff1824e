import { describe, expect, it } from '@jest/globals';
import { takeTurns } from './take-turns.ts';

/** Work that ends when it is told to, and says how much of it ran at once. */
function gate() {
  const open: (() => void)[] = [];
  const state = { running: 0, runningMax: 0 };
  const work = async (): Promise<void> => {
    state.running += 1;
    state.runningMax = Math.max(state.runningMax, state.running);
    await new Promise<void>((resolve) => open.push(resolve));
    state.running -= 1;
  };
  return { state, work, open };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('takeTurns', () => {
  it('lets so many of a key run at once, and all of them in the order they came', async () => {
    const inTurn = takeTurns({ runningMax: 2, waitingMax: 10 });
    const { state, work, open } = gate();
    const ended: number[] = [];
    const all = Array.from({ length: 6 }, (_, index) => inTurn('a', work).then(() => ended.push(index)));
    while (ended.length < 6) {
      await settle();
      open.shift()?.();
    }
    await Promise.all(all);
    expect(ended).toEqual([0, 1, 2, 3, 4, 5]);
    expect(state.runningMax).toBe(2);
  });

  it('goes on after work that fails', async () => {
    const inTurn = takeTurns({ runningMax: 1, waitingMax: 10 });
    const failing = inTurn('a', () => Promise.reject(new Error('no')));
    const next = inTurn('a', async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('refuses who would wait behind too many, of that key alone', async () => {
    const inTurn = takeTurns({ runningMax: 1, waitingMax: 1 });
    const { work, open } = gate();
    const first = inTurn('a', work);
    const second = inTurn('a', work);
    await expect(inTurn('a', work)).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 1 });
    expect(await inTurn('b', async () => 'at once')).toBe('at once');
    await settle();
    open.shift()?.();
    await first;
    await settle();
    open.shift()?.();
    await second;
  });
});
