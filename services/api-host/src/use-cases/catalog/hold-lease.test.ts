import { describe, expect, it } from '@jest/globals';
import { holdLease } from './hold-lease.ts';

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('holdLease', () => {
  it('aborts when another host has the lease, and renews no more', async () => {
    let renewals = 0;
    await using held = holdLease({ renew: async () => ++renewals < 3, everyMs: 1 });
    await aborted(held.lost);
    expect(renewals).toBe(3);
  });

  it('keeps the lease when a renewal fails', async () => {
    let renewals = 0;
    const renew = async (): Promise<boolean> => {
      renewals += 1;
      if (renewals < 3) throw new Error('database down');
      return false;
    };
    await using held = holdLease({ renew, everyMs: 1 });
    await aborted(held.lost);
    expect(renewals).toBe(3);
  });

  it('stops without an abort when it is disposed of', async () => {
    const held = holdLease({ renew: async () => true, everyMs: 60_000 });
    await held[Symbol.asyncDispose]();
    expect(held.lost.aborted).toBe(false);
  });
});
