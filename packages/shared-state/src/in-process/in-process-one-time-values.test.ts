import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { InProcessOneTimeValues } from './in-process-one-time-values.ts';

const LIMITS = { ttlMs: 100, groupMax: 2 };
const newValue = (key: string, group = 'ann') => ({ key, group, value: `value of ${key}` });

describe('InProcessOneTimeValues', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('returns a value to one taker of its group', async () => {
    const values = new InProcessOneTimeValues();
    expect(await values.put(newValue('1'), LIMITS)).toBe(true);
    expect(await values.take({ key: '1', group: 'bob' })).toBeUndefined();
    expect(await values.read('1')).toBe('value of 1');
    expect(await values.take({ key: '1', group: 'ann' })).toBe('value of 1');
    expect([await values.take({ key: '1', group: 'ann' }), await values.read('1')]).toEqual([undefined, undefined]);
  });

  it('returns no value after its time to live, to readers and takers', async () => {
    const values = new InProcessOneTimeValues();
    await values.put(newValue('1'), LIMITS);
    jest.advanceTimersByTime(99);
    expect(await values.read('1')).toBe('value of 1');
    jest.advanceTimersByTime(1);
    expect([await values.read('1'), await values.take({ key: '1', group: 'ann' })]).toEqual([undefined, undefined]);
  });

  it('limits the values of a group until they are taken or expire', async () => {
    const values = new InProcessOneTimeValues();
    const put = (key: string, group?: string) => values.put(newValue(key, group), LIMITS);
    expect([await put('1'), await put('2'), await put('3'), await put('4', 'bob')]).toEqual([true, true, false, true]);
    await values.take({ key: '1', group: 'ann' });
    expect([await put('5'), await put('6')]).toEqual([true, false]);
    jest.advanceTimersByTime(LIMITS.ttlMs);
    expect([await put('7'), await put('8'), await put('9')]).toEqual([true, true, false]);
  });
});
