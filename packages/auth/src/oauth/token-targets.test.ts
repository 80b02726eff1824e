import { describe, expect, it } from '@jest/globals';
import { parseTargets, requireGranted } from './token-targets.ts';

const addresses = { api: 'https://acme-api.example.com', stream: 'https://acme-stream.example.com' };
const invalidTarget = expect.objectContaining({ code: 'invalid_target' });

describe('the hosts of a request', () => {
  it('are both by default, or those that it names', () => {
    expect(parseTargets(undefined, addresses)).toBeUndefined();
    expect(parseTargets(addresses.api, addresses)).toEqual(['api']);
    expect(parseTargets(`${addresses.stream}/`, addresses)).toEqual(['stream']);
    expect(parseTargets([addresses.stream, addresses.api, addresses.stream], addresses)).toEqual(['stream', 'api']);
  });

  it.each([
    '',
    '/',
    'https://other.example.com',
    'https://acme-api.example.com/x',
    'https://acme-api.example.com//',
    'https://acme-api.example.com?x',
    'https://acme-api.example.com#x',
    'https://ACME-api.example.com',
    'http://acme-api.example.com',
    'https://x@acme-api.example.com',
  ])('are rejected: %s', (resource) => {
    expect(() => parseTargets(resource, addresses)).toThrow(invalidTarget);
    expect(() => parseTargets([addresses.api, resource], addresses)).toThrow(invalidTarget);
  });

  it('are unknown without the address of the stream host', () => {
    expect(() => parseTargets(addresses.stream, { ...addresses, stream: undefined })).toThrow(invalidTarget);
  });
});

describe('the hosts of a token', () => {
  it('are those of the login, or fewer', () => {
    expect(requireGranted(undefined, undefined)).toBeUndefined();
    expect(requireGranted(undefined, ['api'])).toEqual(['api']);
    expect(requireGranted(['api'], undefined)).toEqual(['api']);
    expect(requireGranted(['api'], ['api', 'stream'])).toEqual(['api']);
  });

  it('are never more', () => {
    expect(() => requireGranted(['stream'], ['api'])).toThrow(invalidTarget);
    expect(() => requireGranted(['api', 'stream'], ['api'])).toThrow(invalidTarget);
  });
});
