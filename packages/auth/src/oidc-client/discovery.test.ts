import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { createDiscovery } from './discovery.ts';
import type { OutgoingFetch } from './outgoing-fetch.ts';

const ISSUER = 'https://idp.example.com';
const DOCUMENT = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  jwks_uri: `${ISSUER}/jwks`,
};
const { signal } = new AbortController();

/** A provider with a document. `private.example` is an address to which requests are not allowed. */
function fixture(change: object = {}, failure?: Error) {
  const requests: { url: string; signal: AbortSignal | undefined }[] = [];
  const fetch: OutgoingFetch['fetch'] = async (url, { signal: sent }) => {
    requests.push({ url, signal: sent });
    if (failure !== undefined) throw failure;
    return new Response(JSON.stringify({ ...DOCUMENT, ...change }), {
      headers: { 'content-type': 'application/json' },
    });
  };
  const checkAddress = (url: URL): void => {
    if (url.hostname === 'private.example') throw new ProblemError('invalid_request', 'is a private address');
  };
  const outgoing = { fetch, checkAddress, isListed: () => false, [Symbol.asyncDispose]: async () => undefined };
  return { requests, discovery: createDiscovery(outgoing) };
}

describe('a discovery document', () => {
  it('is read below the issuer, within the deadline of the operation', async () => {
    const { discovery, requests } = fixture();
    expect(await discovery.discover(ISSUER, signal)).toMatchObject(DOCUMENT);
    expect(requests.map(({ url }) => url)).toEqual([`${ISSUER}/.well-known/openid-configuration`]);
    expect(requests[0]?.signal).toBe(signal);
  });

  it.each([
    ['another issuer', { issuer: `${ISSUER}/` }],
    ['no issuer', { issuer: undefined }],
    ['no keys', { jwks_uri: undefined }],
    ['an endpoint that is a number', { token_endpoint: 7 }],
    ['an endpoint in a private network', { token_endpoint: 'https://private.example/token' }],
    ['an optional endpoint in a private network', { userinfo_endpoint: 'https://private.example/userinfo' }],
    ['an optional endpoint that is not a URL', { end_session_endpoint: '/logout' }],
  ])('with %s is rejected', async (_name, change) => {
    await expect(fixture(change).discovery.discover(ISSUER, signal)).rejects.toThrow();
  });

  it('has any other address ignored, which is never requested', async () => {
    const change = { registration_endpoint: 'https://private.example/register' };
    expect(await fixture(change).discovery.discover(ISSUER, signal)).toMatchObject(DOCUMENT);
  });

  it.each([
    ['cannot be read', {}, new TypeError('fetch failed')],
    ['has changed its issuer', { issuer: 'https://other.example' }, undefined],
  ])('of an issuer that was checked before is service_unavailable if it %s', async (_name, change, failure) => {
    const { discovery } = fixture(change, failure);
    await expect(discovery.discoverAgain(ISSUER, signal)).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});

describe('the configuration of a client', () => {
  const provider = { issuer: ISSUER, clientId: 'sluice', clientSecret: null };

  it.each([
    [undefined, ['RS256']],
    [
      ['HS256', 'none', 'RS256', 'PS512', 'ES384', 'Ed25519', 'EdDSA', 'XRS256'],
      ['RS256', 'PS512', 'ES384', 'Ed25519', 'EdDSA'],
    ],
    [['HS256', 'none'], []],
  ])('accepts of the algorithms %j only those with a key of the provider: %j', async (named, accepted) => {
    const { discovery } = fixture({ id_token_signing_alg_values_supported: named });
    const configuration = await discovery.configure(provider, signal);
    expect(configuration.serverMetadata().id_token_signing_alg_values_supported).toEqual(accepted);
  });

  it('is read again for each operation, so that nothing is stale', async () => {
    const { discovery, requests } = fixture();
    await discovery.configure(provider, signal);
    await discovery.configure(provider, signal);
    expect(requests).toHaveLength(2);
  });
});
