import type { Tenant } from '@sluice/contract';

/** Returns the path of a login that leads to a page of this host. `isAgain` asks for the credentials, whatever session there is. */
export const loginPath = ({ name }: Pick<Tenant, 'name'>, returnTo: string, isAgain = false): string =>
  `/auth/login/${name}?${new URLSearchParams({ return_to: returnTo, ...(isAgain ? { prompt: 'login' } : {}) })}`;
