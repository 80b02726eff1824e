import { describe, expect, it } from '@jest/globals';
import { settleWithin, withTimeout } from './with-timeout.ts';

const never = new Promise<never>(() => undefined);
const LONG_MS = 600_000;

describe('withTimeout', () => {
  it('resolves and rejects like the work', async () => {
    expect(await withTimeout(Promise.resolve(1), LONG_MS)).toBe(1);
    await expect(withTimeout(Promise.reject(new Error('failed')), LONG_MS)).rejects.toThrow('failed');
  });

  it('rejects after the timeout, and ignores a later rejection of the work', async () => {
    let fail = (_cause: Error): void => undefined;
    const work = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    await expect(withTimeout(work, 1)).rejects.toThrow('no reply within 1 ms');
    fail(new Error('late'));
    await new Promise((resolve) => void setImmediate(resolve));
  });
});

describe('settleWithin', () => {
  it('resolves when the work settles either way, and after the timeout', async () => {
    expect(await settleWithin(Promise.resolve('value'), LONG_MS)).toBeUndefined();
    expect(await settleWithin(Promise.reject(new Error('failed')), LONG_MS)).toBeUndefined();
    expect(await settleWithin(never, 1)).toBeUndefined();
  });
});
