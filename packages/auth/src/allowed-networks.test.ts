import { expect, it } from '@jest/globals';
import { includesAddress } from './allowed-networks.ts';

const NETWORKS = ['203.0.113.0/24', '198.51.100.7', '2001:db8:1::/48', '2001:db8:2::1'];

it.each(['203.0.113.0', '203.0.113.255', '198.51.100.7', '2001:db8:1:ffff::1', '2001:DB8:2::1'])(
  'includes %s',
  (address) => {
    expect(includesAddress(NETWORKS, address)).toBe(true);
  },
);

it.each(['203.0.114.0', '198.51.100.8', '2001:db8:2::2', '::1', '127.0.0.1', 'unknown', '', '203.0.113.1.evil'])(
  'excludes %s',
  (address) => {
    expect(includesAddress(NETWORKS, address)).toBe(false);
  },
);

it.each(['::ffff:203.0.113.9', '::ffff:cb00:7109'])('treats %s as IPv4', (address) => {
  expect(includesAddress(NETWORKS, address)).toBe(true);
  expect(includesAddress(['2001:db8::/32'], address)).toBe(false);
});

it('ignores the zone of an address', () => {
  expect(includesAddress(['fe80::/10'], 'fe80::1%eth0')).toBe(true);
});

it('includes every address without networks, and of its family with a prefix of 0', () => {
  expect(includesAddress(null, 'unknown')).toBe(true);
  expect(includesAddress(undefined, '192.0.2.1')).toBe(true);
  expect([includesAddress(['0.0.0.0/0'], '192.0.2.1'), includesAddress(['0.0.0.0/0'], '::1')]).toEqual([true, false]);
});

it('keeps a bounded number of lists', () => {
  for (let index = 0; index < 1100; index += 1) {
    const address = `10.0.${index >> 8}.${index & 255}`;
    expect(includesAddress([address], address)).toBe(true);
  }
  expect(includesAddress(['10.0.0.0'], '10.0.0.0')).toBe(true);
});
