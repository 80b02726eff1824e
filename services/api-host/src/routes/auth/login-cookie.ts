import { LOGIN_LIFETIME_MS } from '../../use-cases/auth/start-single-sign-on.ts';
import { isLoopbackUrl, type SessionCookie } from './session-cookie.ts';

/**
 * What binds a login that is under way to the browser that began it. With `__Host-` no other host of the domain can set it (RFC 6265bis
 * section 4.1.3.2), which a browser takes over TLS alone.
 */
export const loginCookieName = ({ tenant, baseUrl }: SessionCookie): string =>
  `${isLoopbackUrl(baseUrl) ? '' : '__Host-'}sluice_login_${tenant.name}`;

/** A Set-Cookie line. The provider's redirect is a navigation from another site, so it must be Lax. */
export const setLoginCookie = (of: SessionCookie, value: string): string => {
  const secure = isLoopbackUrl(of.baseUrl) ? '' : '; Secure';
  const age = Math.floor(LOGIN_LIFETIME_MS / 1000);
  return `${loginCookieName(of)}=${value}; Max-Age=${age}; Path=/; HttpOnly; SameSite=Lax${secure}`;
};
