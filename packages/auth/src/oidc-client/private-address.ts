import { BlockList, isIP } from 'node:net';

/**
 * IANA's IPv4 special-purpose address registry (RFC 6890), multicast and class E, by first address and prefix. Entries that are "globally
 * reachable" (AS112, AMT) are included, because no identity provider uses them.
 */
const SPECIAL_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;

/** The only block from which IANA assigns unicast addresses. Outside of it: `::1`, `::/96`, `64:ff9b::/96`, `100::/64`, `fc00::/7`, `fec0::/10`. */
const GLOBAL_IPV6 = [['2000::', 3]] as const;

/** Entries of the IPv6 special-purpose address registry within that block. `2001::/23` contains Teredo, benchmarking and ORCHID. */
const SPECIAL_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const;

/** An IPv4 address written as IPv6 (RFC 4291 section 2.5.5.2). */
const MAPPED_IPV4 = [['::ffff:0:0', 96]] as const;

const blockList = (ranges: readonly (readonly [string, number])[]): BlockList => {
  const list = new BlockList();
  for (const [first, prefix] of ranges) list.addSubnet(first, prefix, isIP(first) === 6 ? 'ipv6' : 'ipv4');
  return list;
};

const specialIpv4 = blockList(SPECIAL_IPV4);
const globalIpv6 = blockList(GLOBAL_IPV6);
const specialIpv6 = blockList(SPECIAL_IPV6);
const mappedIpv4 = blockList(MAPPED_IPV4);

/** Returns true for an address of this machine or of a network that is not the internet. Mapped IPv4 addresses count as IPv4. */
export function isPrivateAddress(address: string): boolean {
  // An address with a zone (`fe80::1%eth0`) is link-local.
  if (address.includes('%')) return true;
  if (isIP(address) !== 6) return specialIpv4.check(address, 'ipv4');
  if (mappedIpv4.check(address, 'ipv6')) return specialIpv4.check(address, 'ipv6');
  return !globalIpv6.check(address, 'ipv6') || specialIpv6.check(address, 'ipv6');
}

/** Returns true only for `localhost` and loopback addresses. */
export const isLoopbackHost = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);
