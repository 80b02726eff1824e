import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { InProcessValues } from './in-process-values.ts';

describe('InProcessValues', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('returns a value until its time to live is over', async () => {
    const values = new InProcessValues();
    await values.put('key', 'value', 100);
    jest.advanceTimersByTime(99);
    expect(await values.get('key')).toBe('value');
    jest.advanceTimersByTime(1);
    expect(await values.get('key')).toBeUndefined();
    expect(await values.get('unknown')).toBeUndefined();
  });

  it('replaces a value together with its time to live', async () => {
    const values = new InProcessValues();
    await values.put('key', 'old', 1_000);
    await values.put('key', 'new', 10);
    expect(await values.get('key')).toBe('new');
    jest.advanceTimersByTime(10);
    expect(await values.get('key')).toBeUndefined();
  });

  it('drops the oldest values beyond 100,000', async () => {
    const values = new InProcessValues();
    for (let index = 0; index < 100_002; index += 1) await values.put(`key ${index}`, `${index}`, 60_000);
    expect(await values.get('key 0')).toBeUndefined();
    expect(await values.get('key 1')).toBeUndefined();
    expect(await values.get('key 2')).toBe('2');
    expect(await values.get('key 100001')).toBe('100001');
  });
});
