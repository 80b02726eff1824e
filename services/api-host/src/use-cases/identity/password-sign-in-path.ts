import type { Tenant } from '@sluice/contract';

/** Returns the path of the password form. Users of a tenant without an identity provider log in there, and any user with a password can. */
export function passwordSignInPath(tenant: Tenant, returnTo: string | undefined): string {
  const query = returnTo === undefined ? '' : `?${new URLSearchParams({ return_to: returnTo })}`;
  return `/auth/sign-in/${tenant.name}${query}`;
}
