import { beforeAll, describe, expect, it } from '@jest/globals';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { verifyLogoutToken } from './logout-token.ts';

const ISSUER = 'https://idp.example.com';
const CLIENT_ID = 'sluice';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

let privateKey: CryptoKey;
let otherKey: CryptoKey;
let keySet: unknown;
beforeAll(async () => {
  const pair = await generateKeyPair('ES256');
  privateKey = pair.privateKey;
  otherKey = (await generateKeyPair('ES256')).privateKey;
  keySet = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'ES256', use: 'sig' }] };
});

const now = (): number => Math.floor(Date.now() / 1000);
const claimsOf = (changes: Readonly<Record<string, unknown>> = {}): JWTPayload => ({
  iss: ISSUER,
  aud: CLIENT_ID,
  iat: now(),
  exp: now() + 120,
  jti: 'j',
  sub: 'ann',
  sid: 's',
  events: { [EVENT]: {} },
  ...changes,
});

const sign = (claims: JWTPayload, header: object = {}, key = privateKey): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'k', typ: 'logout+jwt', ...header }).sign(key);
const verify = (token: string, algorithms = ['ES256']) =>
  verifyLogoutToken(token, { issuer: ISSUER, clientId: CLIENT_ID, algorithms, keySet });

const unsigned = (claims: JWTPayload): string =>
  `${[{ alg: 'none', typ: 'logout+jwt' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;

describe('verifyLogoutToken', () => {
  it('returns the session, the subject and the id of a token', async () => {
    expect(await verify(await sign(claimsOf()))).toEqual({
      issuer: ISSUER,
      providerSid: 's',
      subject: 'ann',
      tokenId: 'j',
    });
    expect(await verify(await sign(claimsOf({ sub: undefined })))).toMatchObject({ subject: undefined });
    expect(await verify(await sign(claimsOf({ sid: undefined })))).toMatchObject({ providerSid: undefined });
  });

  it.each([undefined, 'JWT', 'application/logout+jwt'])(
    'accepts the type %s, and one of several audiences',
    async (typ) => {
      expect(await verify(await sign(claimsOf({ aud: ['other', CLIENT_ID] }), { typ }))).toMatchObject({
        tokenId: 'j',
      });
    },
  );

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another client', { aud: 'other' }],
    ['without an audience', { aud: undefined }],
    ['that has expired', { exp: now() - 120 }],
    ['without an end', { exp: undefined }],
    ['without a time', { iat: undefined }],
    ['of the future', { iat: now() + 3600, exp: now() + 7200 }],
    ['that is old, although it has not expired', { iat: now() - 3600 }],
    ['without an id', { jti: undefined }],
    ['with an empty id', { jti: '' }],
    ['without session and subject', { sid: undefined, sub: undefined }],
    ['with a session that is not text', { sid: 7 }],
    ['with a control character in the subject', { sub: 'a\nb' }],
    ['with a nonce, as an ID token', { nonce: 'n' }],
    ['with a nonce that is null', { nonce: null }],
    ['without events', { events: undefined }],
    ['with another event', { events: { 'https://example.com/event': {} } }],
    ['with an event that is not an object', { events: { [EVENT]: true } }],
    ['with events as a list', { events: [EVENT] }],
  ])('rejects a token %s', async (_name, changes) => {
    await expect(verify(await sign(claimsOf(changes)))).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^The logout token [\x20-\x7e]+\.$/),
    });
  });

  it('rejects what the provider has not signed', async () => {
    for (const token of [
      await sign(claimsOf(), {}, otherKey),
      await sign(claimsOf(), { kid: 'unknown' }),
      await sign(claimsOf(), { typ: 'at+jwt' }),
      unsigned(claimsOf()),
      `${await sign(claimsOf())}x`,
      'x',
      '',
    ])
      await expect(verify(token)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(verify(await sign(claimsOf()), ['RS256'])).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('rejects every token while the provider publishes no usable keys', async () => {
    const token = await sign(claimsOf());
    for (const unusable of [{ keys: [] }, { keys: 'x' }, {}, null]) {
      const input = { issuer: ISSUER, clientId: CLIENT_ID, algorithms: ['ES256'], keySet: unusable };
      await expect(verifyLogoutToken(token, input)).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });
});
