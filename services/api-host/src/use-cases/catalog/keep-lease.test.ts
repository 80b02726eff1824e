import { describe, expect, it } from '@jest/globals';
import { keepLease } from './keep-lease.ts';

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('keepLease', () => {
  it('aborts when another host has the lease, and renews no more', async () => {
    let renewals = 0;
    await using kept = keepLease({ renew: async () => ++renewals < 3, everyMs: 1 });
    await aborted(kept.lost);
    expect(renewals).toBe(3);
  });

  it('keeps the lease when a renewal fails', async () => {
    let renewals = 0;
    const renew = async (): Promise<boolean> => {
      renewals += 1;
      if (renewals < 3) throw new Error('database down');
      return false;
    };
    await using kept = keepLease({ renew, everyMs: 1 });
    await aborted(kept.lost);
    expect(renewals).toBe(3);
  });

  it('stops without an abort when it is disposed of', async () => {
    const kept = keepLease({ renew: async () => true, everyMs: 60_000 });
    await kept[Symbol.asyncDispose]();
    expect(kept.lost.aborted).toBe(false);
  });
});
