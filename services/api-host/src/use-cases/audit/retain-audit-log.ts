import type { AuditSigner } from '@sluice/audit';
import { isAuditMonthDue, retainAudit } from '@sluice/store/audit';
import type { Database } from '@sluice/store/database';
import { signDropped } from './sign-dropped.ts';

export interface RetainAuditLogDependencies {
  readonly database: Database;
  /** Of the same role; what is taken out may take minutes, which no statement of a request may. */
  readonly databaseUrl: string;
  readonly signer: AuditSigner;
  readonly retentionMs: number;
  readonly onDropped: (months: readonly string[]) => void;
}

/** Takes out the months that nobody keeps any more. Throws ProblemError when it cannot at this time. */
export function createRetainAuditLog(dependencies: RetainAuditLogDependencies): () => Promise<void> {
  const { database, databaseUrl: url, signer, retentionMs, onDropped } = dependencies;
  const sign = signDropped(signer, 'retention', Date.now);
  return async () => {
    if (!(await isAuditMonthDue(database, retentionMs))) return;
    const months = await retainAudit({ url, retentionMs, sign });
    if (months.length > 0) onDropped(months);
  };
}
