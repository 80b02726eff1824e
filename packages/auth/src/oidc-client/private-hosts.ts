import { isIP } from 'node:net';

/** Checks whether the operator allows a URL to lead to a private address. */
export type MayBePrivate = (url: URL) => boolean;

/** Ports of an entry without one. */
const DEFAULT_PORTS: readonly string[] = ['443', '80'];
const ANY_PORT = '*';

/** Returns the host of a URL, without the brackets of IPv6. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();

const portOf = (url: URL): string => url.port || (url.protocol === 'http:' ? '80' : '443');

/** Splits `host`, `host:port`, `host:*`, an IPv6 address, and one in brackets with a port. */
function parseEntry(entry: string): { readonly host: string; readonly ports: readonly string[] } {
  const text = entry.toLowerCase();
  const [, bracketed, name = text, port] =
    /^(?:\[(.*)\]|([^[]*?))(?::(\d+|\*))?$/.exec(isIP(text) === 6 ? `[${text}]` : text) ?? [];
  return { host: bracketed ?? name, ports: port === undefined ? DEFAULT_PORTS : [port] };
}

/** Reads the entries of SSO_PRIVATE_HOSTS. Each allows its own ports only, so that no client can scan the others. */
export function privateHosts(entries: readonly string[]): MayBePrivate {
  const allowed = new Set(entries.map(parseEntry).flatMap(({ host, ports }) => ports.map((port) => `${host} ${port}`)));
  return (url) => [portOf(url), ANY_PORT].some((port) => allowed.has(`${hostOf(url)} ${port}`));
}
