import type { Tenant } from '@sluice/contract';

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** One name a tenant: on an address that several tenants share, one login does not end another's. */
export const sessionCookieName = (tenant: Tenant): string => `sluice_session_${tenant.name}`;

/** Off loopback a cookie never travels in clear; on it there is no TLS to travel by. */
export const isLoopbackUrl = (url: string): boolean => LOOPBACK.test(new URL(url).hostname);

const attributes = (baseUrl: string): string =>
  `Path=/auth; HttpOnly; SameSite=Lax${isLoopbackUrl(baseUrl) ? '' : '; Secure'}`;

export interface SessionCookie {
  readonly tenant: Tenant;
  readonly baseUrl: string;
}

/** A Set-Cookie line (RFC 6265 section 4.1). */
export const setSessionCookie = (
  { tenant, baseUrl }: SessionCookie,
  held: { readonly cookie: string; readonly lifetimeSeconds: number },
): string => `${sessionCookieName(tenant)}=${held.cookie}; Max-Age=${held.lifetimeSeconds}; ${attributes(baseUrl)}`;

export const clearSessionCookie = ({ tenant, baseUrl }: SessionCookie): string =>
  `${sessionCookieName(tenant)}=; Max-Age=0; ${attributes(baseUrl)}`;
