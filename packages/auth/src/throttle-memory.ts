import type { Clock } from './ports.ts';

/**
 * What one host has seen of failed logins lately. It is not exact, and it is lost with the process: it decides who waits behind whom, and
 * spares the database the questions of a client that is refused anyway.
 */
export interface ThrottleMemory {
  failuresOf(prefix: string): number;
  addFailure(prefix: string): void;
  /** Time for which the key is still blocked, as far as this host knows; 0 when the database has to be asked. */
  blockedMs(key: string): number;
  addBlock(key: string, blockedMs: number): void;
}

const ENTRIES_MAX = 10_000;
/** After this the database is asked again, so that a block which an operator has lifted is over soon. */
const REVALIDATE_AFTER_MS = 1000;

/** A Map keeps the order of insertion, so the entry that was set longest ago goes first. */
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
