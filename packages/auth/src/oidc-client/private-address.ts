import { BlockList, isIP } from 'node:net';

/** Where nothing of the internet is: this machine, networks of one's own, link-local ones (cloud metadata), and what stands for them. */
const NOT_PUBLIC = new BlockList();

/** IANA's special-purpose registries (RFC 6890), by first address and prefix. */
const RANGES = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
  ['::', 127],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const;

for (const [first, prefix] of RANGES) NOT_PUBLIC.addSubnet(first, prefix, isIP(first) === 6 ? 'ipv6' : 'ipv4');

/** True of an address of this machine or of a network that is not the internet; IPv4 inside IPv6 is what it stands for. */
export function isPrivateAddress(address: string): boolean {
  // An address with a zone (`fe80::1%eth0`) is link-local.
  if (address.includes('%')) return true;
  return NOT_PUBLIC.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** `localhost` and the addresses of this machine alone. */
export const isLoopbackHost = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);
