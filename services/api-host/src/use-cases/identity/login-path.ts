import type { Tenant } from '@sluice/contract';

/** Returns the path of a login that leads to a page of this host. */
export const loginPath = ({ name }: Pick<Tenant, 'name'>, returnTo: string): string =>
  `/auth/login/${name}?${new URLSearchParams({ return_to: returnTo })}`;
