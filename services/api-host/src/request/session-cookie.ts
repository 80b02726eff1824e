import type { Tenant } from '@sluice/contract';
import { clearHostCookie, hostCookieName, setHostCookie } from '@sluice/http';
import type { SessionCookie } from '../use-cases/identity/open-session.ts';

export interface CookieScope {
  readonly tenant: Tenant;
  /** `https://host` as the browser sees this host. */
  readonly baseUrl: string;
}

/** One name per tenant: on an address that several tenants share, a login to one does not end the session of another. */
const cookieOf = ({ tenant, baseUrl }: CookieScope) => ({ name: `sluice_session_${tenant.name}`, baseUrl });

export const sessionCookieName = (scope: CookieScope): string => hostCookieName(cookieOf(scope));

/** Returns a Set-Cookie header. */
export const setSessionCookie = (scope: CookieScope, { value, lifetimeSeconds }: SessionCookie): string =>
  setHostCookie({ ...cookieOf(scope), value, maxAgeSeconds: lifetimeSeconds });

/** Returns a Set-Cookie header. */
export const clearSessionCookie = (scope: CookieScope): string => clearHostCookie(cookieOf(scope));
