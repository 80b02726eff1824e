import type { PeriodicTask } from './periodic-task.ts';

interface DurableWriteCheckDependencies {
  readonly hosts: { proveDurableWrite(): Promise<void> };
  /** Time when a statement of this process last failed because the server could not store it; see `Database`. */
  readonly database: { readonly writeFailedAtMs: number | undefined };
}

/** Periodic check whether PostgreSQL accepts durable writes. All probes share its result. */
export interface DurableWriteCheck {
  readonly work: PeriodicTask;
  /** Rejects if the last write failed or is too old, or if another statement could recently not be stored. */
  check(): Promise<void>;
}

/** Interval of the check whether a write is due. After a failure it is due immediately, so that recovery is detected soon. */
const CHECK_EVERY_MS = 1000;
const WRITE_EVERY_MS = 5000;
const STALE_AFTER_MS = 15_000;
/** Time for which a failed write of another statement counts: the check's own write is small and may succeed. */
const FAILURE_COUNTS_MS = 3000;

export function createDurableWriteCheck({ hosts, database }: DurableWriteCheckDependencies): DurableWriteCheck {
  let writtenAt = performance.now();
  let isWritten = false;
  let failure: unknown;
  return {
    work: {
      name: 'check durable writes',
      everyMs: CHECK_EVERY_MS,
      async run() {
        if (isWritten && performance.now() - writtenAt < WRITE_EVERY_MS) return;
        try {
          await hosts.proveDurableWrite();
          writtenAt = performance.now();
          isWritten = true;
          failure = undefined;
        } catch (thrown) {
          // The health monitor logs it, once per reason.
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
