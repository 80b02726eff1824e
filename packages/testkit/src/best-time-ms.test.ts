import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { bestTimeMs } from './best-time-ms.ts';

describe('bestTimeMs', () => {
  it('tries once what is within its bound', async () => {
    let tries = 0;
    const quick = async (): Promise<void> => {
      tries += 1;
    };
    expect(await bestTimeMs(60_000, quick)).toBeLessThan(60_000);
    expect(tries).toBe(1);
  });

  it('tries a few times what takes longer, and tells the shortest', async () => {
    let tries = 0;
    const slow = async (): Promise<void> => {
      tries += 1;
      await wait(5 * tries);
    };
    expect(await bestTimeMs(1, slow)).toBeGreaterThan(3);
    expect(tries).toBe(4);
  });

  it('does not try again what fails', async () => {
    let tries = 0;
    const failing = async (): Promise<void> => {
      tries += 1;
      throw new Error('wrong');
    };
    await expect(bestTimeMs(60_000, failing)).rejects.toThrow('wrong');
    expect(tries).toBe(1);
  });
});
