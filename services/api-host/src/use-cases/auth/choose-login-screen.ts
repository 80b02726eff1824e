import type { Tenant } from '@sluice/contract';

/**
 * Where a person of this tenant logs in: our own form. A tenant with an identity provider is sent there from here, and nowhere
 * else is that decided.
 */
export function chooseLoginScreen(tenant: Tenant, returnTo: string | undefined): string {
  const query = returnTo === undefined ? '' : `?${new URLSearchParams({ return_to: returnTo })}`;
  return `/auth/sign-in/${tenant.name}${query}`;
}
