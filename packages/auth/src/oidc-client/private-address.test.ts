import { describe, expect, it } from '@jest/globals';
import { isPrivateAddress } from './private-address.ts';

describe('isPrivateAddress', () => {
  it.each([
    '0.0.0.0',
    '10.255.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.8.8.8',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
  ])('is true of %s', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '100.63.255.255',
    '172.32.0.1',
    '192.167.0.1',
    '2606:4700::1111',
    '::ffff:1.1.1.1',
  ])('is false of %s', (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });
});
