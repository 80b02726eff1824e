import { type AuditAction, type AuditRecord, auditOf, type Caller } from '@sluice/contract';

/** Returns the record of a read of the audit log, which is itself audited. */
export const auditAccessRecord = (
  caller: Caller,
  action: AuditAction,
  metadata: Readonly<Record<string, unknown>>,
): AuditRecord => auditOf(caller, { action, target: 'audit_log', metadata });
