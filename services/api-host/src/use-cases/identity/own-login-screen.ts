import type { Tenant } from '@sluice/contract';

/** Our own form, where people of a tenant without an identity provider log in, and of any tenant who have a password. */
export function ownLoginScreen(tenant: Tenant, returnTo: string | undefined): string {
  const query = returnTo === undefined ? '' : `?${new URLSearchParams({ return_to: returnTo })}`;
  return `/auth/sign-in/${tenant.name}${query}`;
}
