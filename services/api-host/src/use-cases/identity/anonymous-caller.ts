import type { RequestOrigin } from '@sluice/auth';
import type { Tenant } from '@sluice/contract';
import type { Actor } from '@sluice/store/resources';

/** A client that has not authenticated (yet), at the address of a tenant. */
export interface AnonymousCaller {
  readonly tenant: Tenant;
  readonly origin: RequestOrigin;
}

/**
 * Returns a login as the one who reads or changes accounts. Each record of it is about a user, and names that user. `name` is the author of
 * changed rows.
 */
export const loginActor = (
  { tenant, origin }: Partial<AnonymousCaller> & Pick<AnonymousCaller, 'tenant'>,
  name = '',
): Actor => ({
  tenantId: tenant.id,
  name,
  auditOf: (act) => ({ tenantId: tenant.id, user: act.target, ...act, ...origin }),
});
