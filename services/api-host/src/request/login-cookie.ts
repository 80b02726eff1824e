import { hostCookieName, setHostCookie } from '@sluice/http';
import { LOGIN_LIFETIME_MS } from '../use-cases/identity/start-single-sign-on.ts';
import type { CookieScope } from './session-cookie.ts';

const cookieOf = ({ tenant, baseUrl }: CookieScope) => ({ name: `sluice_login_${tenant.name}`, baseUrl });

/** Returns the name of the cookie that binds a login in progress to the browser that began it. */
export const loginCookieName = (scope: CookieScope): string => hostCookieName(cookieOf(scope));

/** Returns a Set-Cookie header. */
export const setLoginCookie = (scope: CookieScope, value: string): string =>
  setHostCookie({ ...cookieOf(scope), value, maxAgeSeconds: Math.floor(LOGIN_LIFETIME_MS / 1000) });
