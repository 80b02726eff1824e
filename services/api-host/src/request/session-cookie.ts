import type { Tenant } from '@sluice/contract';
import { clearHostCookie, hostCookieName, setHostCookie } from '@sluice/http';

/** Whose session it is, and the address by which the browser sees this host. */
export interface SessionCookie {
  readonly tenant: Tenant;
  readonly baseUrl: string;
}

/** One name a tenant: on an address that several tenants share, one login does not end another's. */
const cookieOf = ({ tenant, baseUrl }: SessionCookie) => ({ name: `sluice_session_${tenant.name}`, baseUrl });

export const sessionCookieName = (of: SessionCookie): string => hostCookieName(cookieOf(of));

/** A Set-Cookie line. */
export const setSessionCookie = (
  of: SessionCookie,
  held: { readonly cookie: string; readonly lifetimeSeconds: number },
): string => setHostCookie({ ...cookieOf(of), value: held.cookie, maxAgeSeconds: held.lifetimeSeconds });

export const clearSessionCookie = (of: SessionCookie): string => clearHostCookie(cookieOf(of));
