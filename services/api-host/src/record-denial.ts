import type { AppOptions } from '@sluice/http';
import type { ApiContext } from './context.ts';

/** Every refusal of somebody known is an audit record: who tried what, and which permission it would have taken. */
export const recordDenial =
  ({ stores, events }: Pick<ApiContext, 'stores' | 'events'>): AppOptions['onDenied'] =>
  async ({ principal, operation, permission, requestId, address, userAgent }) => {
    const { tenant, name } = principal;
    events.accessDenied({
      tenant: tenant.name,
      user: name,
      requestId,
      permission: permission ?? 'tenant',
      operation: operation.id,
    });
    await stores.audit.append({
      tenantId: tenant.id,
      user: name,
      action: 'ACCESS_DENIED',
      target: operation.id,
      metadata: permission === undefined ? {} : { permission },
      requestId,
      address,
      ...(principal.sessionId === undefined ? {} : { sessionId: principal.sessionId }),
      ...(userAgent === undefined ? {} : { userAgent }),
    });
  };
