/** `localhost`, its subdomains and the loopback addresses, as URLs spell them. */
const LOOPBACK_HOST = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Browsers store a `Secure` cookie only over TLS, and a development host on loopback has no TLS. */
const isPlainLoopback = (baseUrl: string): boolean => {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && LOOPBACK_HOST.test(hostname);
};

interface HostCookie {
  readonly name: string;
  readonly value: string;
  readonly maxAgeSeconds: number;
  /** Origin of this host as the browser sees it. */
  readonly baseUrl: string;
}

/**
 * Returns the name of a cookie of this host. With the prefix `__Host-` no other host of the domain can set it, and it is never sent
 * unencrypted (RFC 6265bis section 4.1.3.2). On loopback without TLS the name has no prefix.
 */
export const hostCookieName = ({ name, baseUrl }: Pick<HostCookie, 'name' | 'baseUrl'>): string =>
  isPlainLoopback(baseUrl) ? name : `__Host-${name}`;

/**
 * Returns the value of Set-Cookie. The prefix `__Host-` requires `Secure`, `Path=/` and no `Domain`. The cookie is `Lax`, because an
 * identity provider redirects the browser from another site.
 */
export const setHostCookie = (cookie: HostCookie): string =>
  `${hostCookieName(cookie)}=${cookie.value}; Max-Age=${cookie.maxAgeSeconds}; Path=/; HttpOnly; SameSite=Lax` +
  (isPlainLoopback(cookie.baseUrl) ? '' : '; Secure');

/** Returns the value of Set-Cookie that deletes the cookie. */
export const clearHostCookie = (cookie: Pick<HostCookie, 'name' | 'baseUrl'>): string =>
  setHostCookie({ ...cookie, value: '', maxAgeSeconds: 0 });
