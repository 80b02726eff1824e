import type { AuditAction, Permission, Principal } from '@sluice/contract';
import type { AppOptions } from '@sluice/http';
import type { Events } from '@sluice/observability';

/** Audit store, as far as denials need it. */
interface DenialLog {
  append(record: {
    readonly tenantId: string;
    readonly user: string;
    readonly action: AuditAction;
    readonly target: string;
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly requestId: string;
    readonly address: string;
    readonly sessionId?: string;
    readonly userAgent?: string;
  }): Promise<void>;
}

const denialMetadata = (
  { refusedAddress }: Pick<Principal, 'refusedAddress'>,
  permission: Permission | undefined,
): Readonly<Record<string, unknown>> => {
  if (refusedAddress !== undefined) return { reason: 'address' };
  return permission === undefined ? {} : { permission };
};

/** Creates `onDenied`: writes an audit record for every rejected request of an authenticated caller, with the missing permission. */
export const recordDenial =
  (audit: DenialLog, events: Events): AppOptions['onDenied'] =>
  async ({ principal, operation, permission, requestId, address, userAgent }) => {
    const { tenant, name } = principal;
    events.accessDenied({
      tenant: tenant.name,
      user: name,
      requestId,
      permission: permission ?? (principal.refusedAddress === undefined ? 'tenant' : 'network'),
      operation: operation.id,
    });
    await audit.append({
      tenantId: tenant.id,
      user: name,
      action: 'ACCESS_DENIED',
      target: operation.id,
      metadata: denialMetadata(principal, permission),
      requestId,
      address,
      ...(principal.sessionId === undefined ? {} : { sessionId: principal.sessionId }),
      ...(userAgent === undefined ? {} : { userAgent }),
    });
  };
