import type { Tenant } from '@sluice/contract';
import type { AllowedOrigins } from '@sluice/http';
import { checkReturnTo } from '../use-cases/identity/check-return-to.ts';

export interface ReturnToScope {
  readonly tenant: Tenant;
  readonly baseUrl: string;
  readonly allowedOrigins: AllowedOrigins;
}

/** Returns the normalised address. Throws `invalid_request`. */
export type CheckReturnTo = (returnTo: string, allowedAddresses?: readonly string[]) => string;

/** `checkReturnTo` for the requests to one tenant at one address. */
export const returnToChecker =
  ({ tenant, baseUrl, allowedOrigins }: ReturnToScope): CheckReturnTo =>
  (returnTo, allowedAddresses = []) =>
    checkReturnTo(returnTo, {
      baseUrl,
      isAllowedOrigin: (origin) => allowedOrigins(origin, tenant),
      allowedAddresses,
    });
