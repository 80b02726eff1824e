import type { PeriodicTask } from './periodic-task.ts';

export interface DurableWriteCheckDependencies {
  readonly hosts: { proveDurableWrite(): Promise<void> };
  /** Time at which a statement of this process last failed because the server could not store it; see `Database`. */
  readonly database: { readonly writeFailedAtMs: number | undefined };
}

/** Whether PostgreSQL accepts durable writes: one write now and then, whose result all probes share. */
export interface DurableWriteCheck {
  readonly work: PeriodicTask;
  /** Rejects while the last write failed, is too old, or another statement could not be stored a moment ago. */
  check(): Promise<void>;
}

/** Interval of the checks whether a write is due: at once after a failure, so that recovery is seen soon. */
const LOOK_MS = 1000;
const WRITE_EVERY_MS = 5000;
const STALE_AFTER_MS = 15_000;
/** The write of a probe is small. What another statement could not store counts for this long, then a request may try again. */
const FAILURE_COUNTS_MS = 3000;

export function createDurableWriteCheck({ hosts, database }: DurableWriteCheckDependencies): DurableWriteCheck {
  let writtenAt = performance.now();
  let isWritten = false;
  let failure: unknown;
  return {
    work: {
      name: 'prove a durable write',
      everyMs: LOOK_MS,
      async run() {
        if (isWritten && performance.now() - writtenAt < WRITE_EVERY_MS) return;
        try {
          await hosts.proveDurableWrite();
          writtenAt = performance.now();
          isWritten = true;
          failure = undefined;
        } catch (thrown) {
          // The monitor of the probes logs it, once for each reason.
          isWritten = false;
          failure = thrown;
        }
      },
    },
    async check() {
      if (failure !== undefined) throw failure;
      const now = performance.now();
      if (now - writtenAt > STALE_AFTER_MS) throw new Error('PostgreSQL has not stored anything for 15 s.');
      if (now - (database.writeFailedAtMs ?? Number.NEGATIVE_INFINITY) < FAILURE_COUNTS_MS) {
        throw new Error('PostgreSQL could not store what a statement wrote.');
      }
    },
  };
}
