import { BlockList, isIP } from 'node:net';

/** Lists by their networks. Building one takes longer than a look-up in it, and callers come again. */
const lists = new Map<string, BlockList>();
const LISTS_MAX = 1000;

function buildList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

function listOfNetworks(networks: readonly string[]): BlockList {
  const key = networks.join(' ');
  const known = lists.get(key);
  if (known !== undefined) return known;
  const list = buildList(networks);
  const [oldest] = lists.keys();
  if (lists.size >= LISTS_MAX && oldest !== undefined) lists.delete(oldest);
  lists.set(key, list);
  return list;
}

/**
 * Returns whether networks, single addresses or CIDR blocks, include the address of a client. Null or undefined: any address. An IPv4 address in the
 * form of IPv6 counts as IPv4.
 */
export function includesAddress(networks: readonly string[] | null | undefined, address: string): boolean {
  if (networks == null) return true;
  // A zone (`fe80::1%eth0`) is a name of an interface of this host.
  const [bare = ''] = address.split('%');
  const family = isIP(bare);
  return family !== 0 && listOfNetworks(networks).check(bare, family === 6 ? 'ipv6' : 'ipv4');
}
