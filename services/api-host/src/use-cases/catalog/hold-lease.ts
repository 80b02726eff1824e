import { setTimeout as wait } from 'node:timers/promises';

interface HoldLeaseOptions {
  /** Renews the lease; false if another host has it. */
  readonly renew: () => Promise<boolean>;
  readonly everyMs: number;
}

/** Lease that is renewed until it is disposed of. */
interface HeldLease extends AsyncDisposable {
  /** Aborts when another host has the lease. */
  readonly lost: AbortSignal;
}

/** Renews a lease periodically. A renewal that fails is repeated at the next turn: only the store knows whether the lease has expired. */
export function holdLease({ renew, everyMs }: HoldLeaseOptions): HeldLease {
  const lost = new AbortController();
  const done = new AbortController();
  const loop = (async () => {
    while (!done.signal.aborted) {
      await wait(everyMs, undefined, { signal: done.signal, ref: false }).catch(() => undefined);
      if (done.signal.aborted) return;
      const isOurs = await renew().catch(() => true);
      if (!isOurs) return lost.abort(new Error('another host has the lease'));
    }
  })();
  return {
    lost: lost.signal,
    async [Symbol.asyncDispose]() {
      done.abort();
      await loop;
    },
  };
}
