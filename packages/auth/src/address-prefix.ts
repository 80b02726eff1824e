import { isIP } from 'node:net';

/** Some proxies report an address with its port. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\](?::\d+)?|(?<v4>[\d.]+):\d+)$/;
const GROUPS = 8;
const GROUPS_OF_PREFIX = 4;

/** Returns the eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The URL parser normalizes every notation to hexadecimal groups, embedded IPv4 addresses included.
  const text = new URL(`http://[${address.replace(/%.*$/, '')}]/`).hostname.slice(1, -1);
  const [head = '', tail] = text.split('::');
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [first, last] = [numbers(head), numbers(tail ?? '')];
  return [...first, ...new Array<number>(GROUPS - first.length - last.length).fill(0), ...last];
}

/** Returns the IPv4 address within an IPv4-mapped (`::ffff:0:0/96`) or NAT64 (`64:ff9b::/96`, RFC 6052) address. */
function embeddedIpv4(groups: readonly number[]): string | undefined {
  const prefix = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(':');
  if (prefix !== '0:0:0:0:0:ffff' && prefix !== '64:ff9b:0:0:0:0') return undefined;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

/**
 * Returns the part of an address that identifies one client: an IPv4 address, or the first 64 bits of an IPv6 address, because a client
 * can choose the other 64. A string that is not an address is returned unchanged.
 */
export function addressPrefix(address: string): string {
  const { v4, v6 } = WITH_PORT.exec(address)?.groups ?? {};
  const bare = v4 ?? v6 ?? address;
  if (isIP(bare) !== 6) return bare;
  const groups = groupsOf(bare);
  const prefix = groups.slice(0, GROUPS_OF_PREFIX).map((group) => group.toString(16));
  return embeddedIpv4(groups) ?? `${prefix.join(':')}::/64`;
}
