import type { RequestOrigin } from '@sluice/auth';
import type { Tenant } from '@sluice/contract';

/** A client that has not authenticated (yet), at the address of a tenant. */
export interface AnonymousCaller {
  readonly tenant: Tenant;
  readonly origin: RequestOrigin;
}
