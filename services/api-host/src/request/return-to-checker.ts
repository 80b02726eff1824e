import type { Tenant } from '@sluice/contract';
import type { AllowedOrigins } from '@sluice/http';
import { checkReturnTo } from '../use-cases/identity/check-return-to.ts';

interface ReturnToScope {
  readonly tenant: Tenant;
  readonly baseUrl: string;
  readonly allowedOrigins: AllowedOrigins;
}

/** Returns the normalised address to which a login may redirect. Throws `invalid_request`. */
type CheckReturnTo = (returnTo: string, allowedAddresses?: readonly string[]) => string;

/** Binds `checkReturnTo` to a tenant and to the address of this host. */
export const returnToChecker =
  ({ tenant, baseUrl, allowedOrigins }: ReturnToScope): CheckReturnTo =>
  (returnTo, allowedAddresses = []) =>
    checkReturnTo(returnTo, {
      baseUrl,
      isAllowedOrigin: (origin) => allowedOrigins(origin, tenant),
      allowedAddresses,
    });
