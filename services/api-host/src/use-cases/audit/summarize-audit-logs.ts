import { AUDIT_SUMMARY_NAMES_DEFAULT, type AuditSummary, type AuditSummaryInput, type Caller } from '@sluice/contract';
import type { AuditStore, AuditSummaryStore } from '@sluice/store/audit';
import { auditAccessRecord } from './audit-access-record.ts';
import { visibleFrom } from './audit-filter.ts';
import type { AuditReaderLimit } from './audit-reader-limit.ts';

interface SummarizeAuditLogsDependencies {
  readonly auditSummary: AuditSummaryStore;
  readonly audit: Pick<AuditStore, 'append'>;
  readonly limit: AuditReaderLimit;
  readonly retentionMs: number;
  readonly now: () => number;
}

export type SummarizeAuditLogs = (caller: Caller, input: AuditSummaryInput) => Promise<AuditSummary>;

/** Counts records by name. Throws `audit_unavailable` when the read cannot be recorded, and `too_many_requests`. */
export function createSummarizeAuditLogs(dependencies: SummarizeAuditLogsDependencies): SummarizeAuditLogs {
  const { auditSummary, audit, limit, retentionMs, now } = dependencies;
  return async (caller, { by, start, end, size = AUDIT_SUMMARY_NAMES_DEFAULT }) => {
    const { tenant } = caller.principal;
    using _slot = limit.acquire(tenant.id);
    const from = Math.min(Math.max(start, visibleFrom(tenant, retentionMs, now())), end);
    const { names, total, ...range } = await auditSummary.count({ tenantId: tenant.id, by, start: from, end, size });
    await audit.append(auditAccessRecord(caller, 'SUMMARIZE_AUDIT_LOGS', { by, start, end, size, total }));
    return { by, ...range, total, limited: total > names.length, data: [...names] };
  };
}
