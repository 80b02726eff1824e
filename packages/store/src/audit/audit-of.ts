import type { AuditAction, Caller } from '@sluice/contract';
import type { AuditRecord } from './audit-store.ts';

/** The record of what a caller did. */
export const auditOf = (
  { principal, requestId, address, userAgent }: Caller,
  act: {
    readonly action: AuditAction;
    readonly target: string;
    readonly metadata?: Readonly<Record<string, unknown>>;
  },
): AuditRecord => ({
  tenantId: principal.tenant.id,
  user: principal.name,
  ...act,
  requestId,
  address,
  ...(principal.sessionId === undefined ? {} : { sessionId: principal.sessionId }),
  ...(userAgent === undefined ? {} : { userAgent }),
});
