import type { Clock } from './ports.ts';

/**
 * Failed logins that one host has seen recently. It is approximate and lost with the process. It orders the queue of attempts, and
 * saves database queries for clients that are rejected anyway.
 */
export interface ThrottleMemory {
  failuresOf(prefix: string): number;
  addFailure(prefix: string): void;
  /** Returns the remaining time of a block that this host knows; 0 if the database must be queried. */
  blockedMs(key: string): number;
  addBlock(key: string, blockedMs: number): void;
}

const ENTRIES_MAX = 10_000;
/** Age after which the database is queried again, so that a block that an operator lifts ends soon. */
const REVALIDATE_AFTER_MS = 1000;

/** Sets an entry and removes the oldest one of a full map. A Map keeps the order of insertion. */
const setBounded = <V>(map: Map<string, V>, key: string, value: V): void => {
  map.delete(key);
  const [oldest] = map.keys();
  if (map.size >= ENTRIES_MAX && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
};

export function createThrottleMemory({ windowMs, now }: { windowMs: number; now: Clock }): ThrottleMemory {
  const failures = new Map<string, { readonly count: number; readonly lastMs: number }>();
  const blocks = new Map<string, { readonly revalidateAtMs: number; readonly untilMs: number }>();

  const failuresOf = (prefix: string): number => {
    const failed = failures.get(prefix);
    return failed === undefined || failed.lastMs < now() - windowMs ? 0 : failed.count;
  };

  return {
    failuresOf,
    addFailure: (prefix) => setBounded(failures, prefix, { count: failuresOf(prefix) + 1, lastMs: now() }),
    blockedMs(key) {
      const block = blocks.get(key);
      return block === undefined || block.revalidateAtMs < now() ? 0 : Math.max(0, block.untilMs - now());
    },
    addBlock(key, blockedMs) {
      setBounded(blocks, key, { revalidateAtMs: now() + REVALIDATE_AFTER_MS, untilMs: now() + blockedMs });
    },
  };
}
