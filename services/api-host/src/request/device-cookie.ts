import { DEVICE_COOKIE, DEVICE_LIFETIME_MS } from '@sluice/auth';
import { hostCookieName, type ResponseHeaders, type RouteRequest, setHostCookie } from '@sluice/http';

export const readDeviceCookie = ({ cookies, baseUrl }: Pick<RouteRequest, 'cookies' | 'baseUrl'>): string | undefined =>
  cookies.get(hostCookieName({ name: DEVICE_COOKIE, baseUrl }));

/** Returns the Set-Cookie headers of a login: `others`, and the device cookie, by which the throttle recognises the browser. */
export function loginCookies(
  baseUrl: string,
  deviceCookie: string | undefined,
  others: readonly string[] = [],
): ResponseHeaders {
  const maxAgeSeconds = Math.floor(DEVICE_LIFETIME_MS / 1000);
  const device =
    deviceCookie === undefined
      ? []
      : [setHostCookie({ name: DEVICE_COOKIE, value: deviceCookie, maxAgeSeconds, baseUrl })];
  const headers = [...others, ...device];
  return headers.length === 0 ? {} : { 'set-cookie': headers };
}
