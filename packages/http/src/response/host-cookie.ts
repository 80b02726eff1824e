/** `localhost`, names below it, and the addresses of this machine, as URLs spell them. */
const LOOPBACK_HOST = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Browsers keep a `Secure` cookie only where there is TLS, and a development host on loopback has none. */
const isPlainLoopback = (baseUrl: string): boolean => {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && LOOPBACK_HOST.test(hostname);
};

export interface HostCookie {
  readonly name: string;
  readonly value: string;
  readonly maxAgeSeconds: number;
  /** Address of this host as the browser sees it. */
  readonly baseUrl: string;
}

/**
 * Name under which a browser returns a cookie of ours. With `__Host-` no other host of the domain can set it, and it never travels in
 * clear (RFC 6265bis section 4.1.3.2). On loopback without TLS the name has no prefix.
 */
export const hostCookieName = ({ name, baseUrl }: Pick<HostCookie, 'name' | 'baseUrl'>): string =>
  isPlainLoopback(baseUrl) ? name : `__Host-${name}`;

/**
 * A Set-Cookie line. The prefix `__Host-` requires `Secure`, `Path=/` and no `Domain`. The cookie is `Lax`, because an identity provider
 * leads the browser back from another site.
 */
export const setHostCookie = (cookie: HostCookie): string =>
  `${hostCookieName(cookie)}=${cookie.value}; Max-Age=${cookie.maxAgeSeconds}; Path=/; HttpOnly; SameSite=Lax` +
  (isPlainLoopback(cookie.baseUrl) ? '' : '; Secure');

/** A Set-Cookie line that removes the cookie. */
export const clearHostCookie = (cookie: Pick<HostCookie, 'name' | 'baseUrl'>): string =>
  setHostCookie({ ...cookie, value: '', maxAgeSeconds: 0 });
