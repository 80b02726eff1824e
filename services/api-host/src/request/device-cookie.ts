import { DEVICE_COOKIE, DEVICE_LIFETIME_MS } from '@sluice/auth';
import type { Tenant } from '@sluice/contract';
import { hostCookieName, type ResponseHeaders, type RouteRequest, setHostCookie } from '@sluice/http';
import type { RememberDevice } from '../use-cases/identity/remember-device.ts';

type Addressed = Pick<RouteRequest, 'cookies' | 'baseUrl'>;

export const readDeviceCookie = ({ cookies, baseUrl }: Addressed): string | undefined =>
  cookies.get(hostCookieName({ name: DEVICE_COOKIE, baseUrl }));

/** Set-Cookie lines of a login: those given, and the one by which the throttle knows the browser. */
export function loginCookies(
  baseUrl: string,
  deviceCookie: string | undefined,
  others: readonly string[] = [],
): ResponseHeaders {
  const maxAgeSeconds = Math.floor(DEVICE_LIFETIME_MS / 1000);
  const ofDevice =
    deviceCookie === undefined
      ? []
      : [setHostCookie({ name: DEVICE_COOKIE, value: deviceCookie, maxAgeSeconds, baseUrl })];
  const lines = [...others, ...ofDevice];
  return lines.length === 0 ? {} : { 'set-cookie': lines };
}

export interface DeviceLogin extends Addressed {
  readonly tenant: Tenant;
  readonly userId: string;
  readonly rememberDevice: RememberDevice;
}

/** Remembers the browser of a login at an identity provider, and returns its Set-Cookie lines. */
export async function deviceLoginCookies(login: DeviceLogin, others: readonly string[] = []): Promise<ResponseHeaders> {
  const { tenant, userId, baseUrl, rememberDevice } = login;
  return loginCookies(
    baseUrl,
    await rememberDevice({ tenantId: tenant.id, userId, sent: readDeviceCookie(login) }),
    others,
  );
}
