/** Loopback address of a native client: any port, or none (RFC 8252 section 7.3). A name such as `localhost` may be another computer. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::[1-9]\d{0,4})?(\/.*)?$/;

const PORT_MAX = 65_535;

/** Returns a loopback address without its port; undefined for any other address. */
function withoutPort(uri: string): string | undefined {
  const [, host, path = ''] = LOOPBACK.exec(uri) ?? [];
  const isAddress = host !== undefined && URL.canParse(uri) && Number(new URL(uri).port) <= PORT_MAX;
  return isAddress ? `${host}${path}` : undefined;
}

/**
 * Checks a redirect URI against a registered one. Both are compared as text (RFC 9700 section 4.1.3): normalising would let an address pass
 * that a browser reads differently. Only the port of a loopback address may differ.
 */
export function isRegisteredRedirectUri(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true;
  const loopback = withoutPort(uri);
  return loopback !== undefined && registered.some((each) => withoutPort(each) === loopback);
}
