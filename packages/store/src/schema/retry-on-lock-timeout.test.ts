import { describe, expect, it } from '@jest/globals';
import { retryOnLockTimeout } from './retry-on-lock-timeout.ts';

const lockTimeout = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });

describe('retryOnLockTimeout', () => {
  it('runs the work again from the start after a lock timeout', async () => {
    let attempts = 0;
    await retryOnLockTimeout(async () => {
      attempts += 1;
      if (attempts === 1) throw lockTimeout;
    });
    expect(attempts).toBe(2);
  });

  it.each([new Error('failed'), Object.assign(new Error('deadlock'), { code: '40P01' }), 'a string'])(
    'does not retry after any other error: %p',
    async (thrown) => {
      let attempts = 0;
      const work = retryOnLockTimeout(() => {
        attempts += 1;
        return Promise.reject(thrown);
      });
      await expect(work).rejects.toBe(thrown);
      expect(attempts).toBe(1);
    },
  );
});
