import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createConcurrencyLimit } from './concurrency-limit.ts';

describe('createConcurrencyLimit', () => {
  it('runs work in order of arrival and rejects when the queue is full', async () => {
    const limited = createConcurrencyLimit({ runningMax: 1, waitingMax: 1 });
    const order: number[] = [];
    const first = limited(async () => order.push(1));
    const second = limited(async () => order.push(2));
    await expect(limited(async () => order.push(3))).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterSeconds: 1,
    });
    await Promise.all([first, second]);
    expect(order).toEqual([1, 2]);
  });

  it('releases the slot of failed work', async () => {
    const limited = createConcurrencyLimit({ runningMax: 1, waitingMax: 0 });
    await expect(limited(() => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
    expect(await limited(async () => 'right')).toBe('right');
  });

  it('never runs more than its limit, and runs everything that it does not reject', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.boolean(), { maxLength: 30 }),
        async (max, works) => {
          const limited = createConcurrencyLimit({ runningMax: max, waitingMax: 100 });
          let running = 0;
          let ran = 0;
          const work = (succeeds: boolean) => async () => {
            running += 1;
            ran += 1;
            expect(running).toBeLessThanOrEqual(max);
            await Promise.resolve();
            running -= 1;
            if (!succeeds) throw new Error('wrong');
          };
          await Promise.allSettled(works.map((succeeds) => limited(work(succeeds))));
          expect([ran, running]).toEqual([works.length, 0]);
        },
      ),
    );
  });
});
