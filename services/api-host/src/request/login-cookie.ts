import { hostCookieName, setHostCookie } from '@sluice/http';
import { LOGIN_LIFETIME_MS } from '../use-cases/identity/start-single-sign-on.ts';
import type { SessionCookie } from './session-cookie.ts';

const cookieOf = ({ tenant, baseUrl }: SessionCookie) => ({ name: `sluice_login_${tenant.name}`, baseUrl });

/** Name of the cookie that binds a login that is under way to the browser that began it. */
export const loginCookieName = (of: SessionCookie): string => hostCookieName(cookieOf(of));

/** A Set-Cookie line. */
export const setLoginCookie = (of: SessionCookie, value: string): string =>
  setHostCookie({ ...cookieOf(of), value, maxAgeSeconds: Math.floor(LOGIN_LIFETIME_MS / 1000) });
