import { setTimeout as wait } from 'node:timers/promises';

export interface LeaseKeeping {
  /** Whether the lease is still ours. */
  readonly hold: () => Promise<boolean>;
  readonly everyMs: number;
}

/** A lease that is said again and again until this is disposed of. */
export interface KeptLease extends AsyncDisposable {
  /** Aborts when somebody else has it. */
  readonly lost: AbortSignal;
}

/** A word that does not get through is said again at the next turn: whether the lease has run out, only the store knows. */
export function keepLease({ hold, everyMs }: LeaseKeeping): KeptLease {
  const lost = new AbortController();
  const done = new AbortController();
  const loop = (async () => {
    while (!done.signal.aborted) {
      await wait(everyMs, undefined, { signal: done.signal, ref: false }).catch(() => undefined);
      if (done.signal.aborted) return;
      const isOurs = await hold().catch(() => true);
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
