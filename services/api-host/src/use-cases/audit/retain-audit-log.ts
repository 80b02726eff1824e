import type { AuditSigner } from '@sluice/audit';
import { isAuditMonthDue, retainAudit } from '@sluice/store/audit';
import type { Database } from '@sluice/store/database';
import { signDropped } from './sign-dropped.ts';

interface RetainAuditLogDependencies {
  readonly database: Database;
  /** Connection of the same role, without the timeout of requests: dropping a month may take minutes. */
  readonly databaseUrl: string;
  readonly signer: AuditSigner;
  readonly retentionMs: number;
  readonly onDropped: (months: readonly string[]) => void;
}

/** Drops the months that no tenant keeps. Throws ProblemError when that is not possible at the moment. */
export function createRetainAuditLog(dependencies: RetainAuditLogDependencies): () => Promise<void> {
  const { database, databaseUrl: url, signer, retentionMs, onDropped } = dependencies;
  const sign = signDropped(signer, 'retention', Date.now);
  return async () => {
    if (!(await isAuditMonthDue(database, retentionMs))) return;
    const months = await retainAudit({ url, retentionMs, sign });
    if (months.length > 0) onDropped(months);
  };
}
