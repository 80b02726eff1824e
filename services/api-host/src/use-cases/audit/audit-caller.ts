import type { RequestOrigin } from '@sluice/auth';
import type { AuditAction, AuditRecord, Principal } from '@sluice/contract';

/** Who reads the log, and from where. */
export interface AuditCaller {
  readonly principal: Principal;
  readonly origin: RequestOrigin;
}

/** Reading the log is itself on record: the record of one reading. */
export const readingRecord = (
  action: AuditAction,
  { principal, origin }: AuditCaller,
  metadata: Readonly<Record<string, unknown>>,
): AuditRecord => ({
  tenantId: principal.tenant.id,
  user: principal.name,
  action,
  target: 'audit_log',
  metadata,
  ...(principal.sessionId === undefined ? {} : { sessionId: principal.sessionId }),
  ...origin,
});
