import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { bestTimeMs } from './best-time-ms.ts';

describe('bestTimeMs', () => {
  it('runs work once if it is within the bound', async () => {
    let tries = 0;
    const quick = async (): Promise<void> => {
      tries += 1;
    };
    expect(await bestTimeMs(60_000, quick)).toBeLessThan(60_000);
    expect(tries).toBe(1);
  });

  it('runs slower work four times and returns the shortest time', async () => {
    let tries = 0;
    const slow = async (): Promise<void> => {
      tries += 1;
      await wait(5 * tries);
    };
    expect(await bestTimeMs(1, slow)).toBeGreaterThan(3);
    expect(tries).toBe(4);
  });

  it('does not repeat failed work', async () => {
    let tries = 0;
    const failing = async (): Promise<void> => {
      tries += 1;
      throw new Error('wrong');
    };
    await expect(bestTimeMs(60_000, failing)).rejects.toThrow('wrong');
    expect(tries).toBe(1);
  });
});
