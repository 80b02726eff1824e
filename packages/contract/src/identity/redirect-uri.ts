/** Printable ASCII: IDN, spaces and control characters have more than one spelling (RFC 9700 section 4.1.3). */
const PLAIN = /^[\x21-\x7e]+$/;
export const REDIRECT_URI_CHARACTERS_MAX = 512;

const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', '[::1]'];

/** Reverse domain name with one slash (RFC 8252 section 7.1). The dot excludes `javascript:`, `data:` and the like. */
const PRIVATE_USE = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/(?!\/)/;

/** Checks whether an address leads to a program on the device of the user (RFC 8252 section 7): by loopback, or by a scheme of its own. */
export const isNativeRedirectUri = (uri: string): boolean => {
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname } = new URL(uri);
  return protocol === 'http:' ? LOOPBACK_HOSTS.includes(hostname) : protocol !== 'https:';
};

/** Returns the reason why an address cannot be registered as a redirect URI; undefined if it can. */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > REDIRECT_URI_CHARACTERS_MAX) return `must have at most ${REDIRECT_URI_CHARACTERS_MAX} characters`;
  if (!PLAIN.test(uri) || uri.includes('\\')) return 'must be printable ASCII without spaces and backslashes';
  if (uri.includes('#')) return 'must not have a fragment';
  if (uri.includes('*')) return 'must not have a wildcard';
  if (!URL.canParse(uri)) return 'must be a complete address';
  const url = new URL(uri);
  if (url.username !== '' || url.password !== '' || /^[a-z]+:\/\/[^/?]*@/i.test(uri))
    return 'must not have user information';
  if (url.protocol === 'http:' && !LOOPBACK_HOSTS.includes(url.hostname))
    return 'must use https, except for http://127.0.0.1 and http://[::1]';
  if (url.protocol !== 'https:' && url.protocol !== 'http:' && !PRIVATE_USE.test(uri))
    return 'must use https, http on loopback, or a scheme with a dot and one slash, such as com.example.app:/callback';
  // Browsers send the normalised address, and the comparison is exact: any other spelling would never match.
  const isNormalised = url.href === uri || url.href === `${uri}/`;
  return isNormalised
    ? undefined
    : `must be written as browsers send it: ${url.href.slice(0, REDIRECT_URI_CHARACTERS_MAX)}`;
}
