import type { RequestOrigin } from '@sluice/auth';
import type { Tenant } from '@sluice/contract';

/** Client of a tenant that is not authenticated, or not yet. */
export interface AnonymousCaller {
  readonly tenant: Tenant;
  readonly origin: RequestOrigin;
}
