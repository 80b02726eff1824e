import { clearHostCookie, hostCookieName, type Reader, setHostCookie } from '@sluice/http';
import type { CookieScope } from './session-cookie.ts';

const YEAR_SECONDS = 365 * 86_400;

const cookieOf = ({ tenant, baseUrl }: CookieScope) => ({ name: `sluice_sign_in_${tenant.name}`, baseUrl });

/** Returns a Set-Cookie header: the last login of the browser took a password, so the next one begins at the form that takes it. */
export const rememberPassword = (scope: CookieScope): string =>
  setHostCookie({ ...cookieOf(scope), value: 'password', maxAgeSeconds: YEAR_SECONDS });

/** Returns a Set-Cookie header: the last login of the browser was at the identity provider. */
export const forgetPassword = (scope: CookieScope): string => clearHostCookie(cookieOf(scope));

/** Returns whether the last login of the browser took a password. */
export const prefersPassword = (cookies: Reader, scope: CookieScope): boolean =>
  cookies.get(hostCookieName(cookieOf(scope))) === 'password';
