import { setTimeout as wait } from 'node:timers/promises';
import { ProblemError } from '@sluice/contract';
import type { AuditSealStore } from '@sluice/store/audit';

interface SealCommittedDependencies {
  readonly auditSeals: Pick<AuditSealStore, 'currentSnapshot' | 'hasUnsealed'>;
  /** Seals for a limited time. Returns undefined while another process is sealing. */
  readonly sealAuditLog: () => Promise<number | undefined>;
  /** Longest wait for another process and for a backlog. */
  readonly timeLimitMs: number;
}

const SEAL_PAUSE_MS = 300;
const RETRY_AFTER_SECONDS = 5;
const NOT_SEALED_IN_TIME =
  'The newest records are still being sealed, and an export without them would not be complete, so nothing was exported. Try again soon.';

/**
 * Returns a function that resolves when the records committed before its call are sealed, by any host. The number of records of a
 * pass does not show that: the pass of another host may have begun earlier, and so may the one that this process continues. Throws
 * `audit_unavailable` when they are not sealed within the time limit.
 */
export const createSealCommitted =
  ({ auditSeals, sealAuditLog, timeLimitMs }: SealCommittedDependencies) =>
  async (): Promise<void> => {
    const until = performance.now() + timeLimitMs;
    // The first pass may write records itself, about forgeries that it sets aside: an export has these too.
    await sealAuditLog();
    const committed = await auditSeals.currentSnapshot();
    while (await auditSeals.hasUnsealed(committed)) {
      if (performance.now() >= until) {
        throw new ProblemError('audit_unavailable', NOT_SEALED_IN_TIME, { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      if ((await sealAuditLog()) === undefined) await wait(SEAL_PAUSE_MS);
    }
  };
