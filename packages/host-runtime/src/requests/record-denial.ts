import type { AuditAction } from '@sluice/contract';
import type { AppOptions, Denial } from '@sluice/http';
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

/** Reason of a denial that is not about a permission. */
const reasonOf = ({ principal, reason }: Denial): 'address' | 'scope' | undefined =>
  principal.refusedAddress === undefined ? reason : 'address';

const denialMetadata = (denial: Denial): Readonly<Record<string, unknown>> => {
  const reason = reasonOf(denial);
  if (reason !== undefined) return { reason };
  if (denial.asUser !== undefined) return { as_user: denial.asUser };
  return denial.permission === undefined ? {} : { permission: denial.permission };
};

/** Labels of metrics for denials that are not about a permission. */
const LABELS = { address: 'network', scope: 'scope' } as const;

/** Returns the permission that was missing, or what else was wrong. */
function labelOf(denial: Denial): Parameters<Events['accessDenied']>[0]['permission'] {
  const reason = reasonOf(denial);
  return denial.permission ?? (reason === undefined ? 'tenant' : LABELS[reason]);
}

/** Creates `onDenied`: writes an audit record for every rejected request of an authenticated caller, with the missing permission, or what else was wrong. */
export const recordDenial =
  (audit: DenialLog, events: Events): AppOptions['onDenied'] =>
  async (denial) => {
    const { principal, operation, requestId, address, userAgent } = denial;
    const { tenant, name } = principal;
    events.accessDenied({
      tenant: tenant.name,
      user: name,
      requestId,
      permission: labelOf(denial),
      operation: operation.id,
    });
    await audit.append({
      tenantId: tenant.id,
      user: name,
      action: 'ACCESS_DENIED',
      target: operation.id,
      metadata: denialMetadata(denial),
      requestId,
      address,
      ...(principal.sessionId === undefined ? {} : { sessionId: principal.sessionId }),
      ...(userAgent === undefined ? {} : { userAgent }),
    });
  };
