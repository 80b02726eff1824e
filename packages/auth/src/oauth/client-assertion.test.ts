import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { ClientKeySet } from '@sluice/contract';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { readAssertionHint, verifyClientAssertion } from './client-assertion.ts';

const ISSUER = 'https://sluice.example/auth/acme';
const AUDIENCES = [ISSUER, `${ISSUER}/oauth2/token`];
const NOW_SECONDS = 1_800_000_000;

const pairOf = async (alg: string) => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid: `key of ${alg}` } };
};
const pairs = Promise.all(['ES256', 'RS256', 'PS256', 'EdDSA'].map(pairOf));
const keysOf = async (): Promise<ClientKeySet> =>
  ({ keys: (await pairs).map(({ jwk }) => jwk) }) as object as ClientKeySet;
const es256 = async () => (await pairs)[0] as Awaited<ReturnType<typeof pairOf>>;

const CLAIMS: JWTPayload = {
  iss: 'etl',
  sub: 'etl',
  aud: ISSUER,
  iat: NOW_SECONDS,
  exp: NOW_SECONDS + 60,
  jti: 'one',
};

/** Signs claims with a key, by default the first one. A claim that is undefined is left out. */
async function sign(changes: Record<string, unknown> = {}, header: object = {}, pair = es256()): Promise<string> {
  const { alg, privateKey, jwk } = await pair;
  const claims = JSON.parse(JSON.stringify({ ...CLAIMS, ...changes }));
  return new SignJWT(claims).setProtectedHeader({ alg, kid: jwk.kid, ...header }).sign(privateKey);
}

const verify = async (assertion: string, keys?: ClientKeySet) =>
  verifyClientAssertion(assertion, {
    clientId: 'etl',
    audiences: AUDIENCES,
    keys: keys ?? (await keysOf()),
    nowMs: NOW_SECONDS * 1000,
  });

const expectRefused = async (assertion: string, reason: string, keys?: ClientKeySet): Promise<void> => {
  await expect(verify(assertion, keys)).rejects.toMatchObject({
    code: 'invalid_client',
    message: expect.stringContaining(reason),
  });
};

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('an assertion', () => {
  it('is accepted with each algorithm of the list, and returns its id and end', async () => {
    for (const pair of await pairs) {
      expect(await verify(await sign({}, {}, Promise.resolve(pair)))).toEqual({
        id: 'one',
        expiresMs: (NOW_SECONDS + 90) * 1000,
      });
    }
  });

  it('may name the token endpoint, one audience in a list, and a type', async () => {
    for (const aud of [`${ISSUER}/oauth2/token`, [ISSUER]]) await verify(await sign({ aud }));
    for (const typ of ['JWT', 'jwt', 'client-authentication+jwt']) await verify(await sign({}, { typ }));
  });

  it('needs no kid where one key fits', async () => {
    await verify(await sign({}, { kid: undefined }));
  });

  it.each<readonly [string, Record<string, unknown>, string]>([
    ['another issuer', { iss: 'other' }, 'claim iss'],
    ['another subject', { sub: 'other' }, 'claim sub'],
    ['another audience', { aud: 'https://other.example' }, 'claim aud'],
    ['an audience with a slash more', { aud: `${ISSUER}/` }, 'claim aud'],
    ['a second audience', { aud: [ISSUER, 'https://other.example'] }, 'more than this server'],
    ['no audience', { aud: undefined }, 'claim aud'],
    ['no end', { exp: undefined }, 'claim exp'],
    ['an end in the past', { exp: NOW_SECONDS - 31 }, 'expired'],
    ['an end in more than 5 minutes', { exp: NOW_SECONDS + 301 }, '5 minutes'],
    ['a beginning in the future', { nbf: NOW_SECONDS + 60 }, 'claim nbf'],
    ['a time of issue in the future', { iat: NOW_SECONDS + 60 }, 'claim iat'],
    ['no id', { jti: undefined }, 'claim jti'],
    ['an empty id', { jti: '' }, 'claim jti'],
    ['a number as id', { jti: 5 }, 'claim jti'],
    ['a long id', { jti: 'x'.repeat(257) }, 'claim jti'],
  ])('is rejected with %s', async (_what, changes, reason) => {
    await expectRefused(await sign(changes), reason);
  });

  it('is accepted up to its last second and for 5 minutes', async () => {
    await verify(await sign({ exp: NOW_SECONDS + 300 }));
    await verify(await sign({ exp: NOW_SECONDS - 29 }));
  });

  it('is rejected as a token for another purpose', async () => {
    for (const typ of ['at+jwt', 'dpop+jwt', 'oauth-authz-req+jwt']) {
      await expectRefused(await sign({}, { typ }), 'typ');
    }
  });

  it('is rejected without a signature, and with a public key as the secret of an HMAC', async () => {
    const { jwk } = await es256();
    await expectRefused(`${encode({ alg: 'none' })}.${encode(CLAIMS)}.`, 'algorithm');
    await expectRefused(`${encode({ alg: 'none' })}.${encode(CLAIMS)}.x`, 'algorithm');
    const content = `${encode({ alg: 'HS256', kid: jwk.kid })}.${encode(CLAIMS)}`;
    const signature = createHmac('sha256', JSON.stringify(jwk)).update(content).digest('base64url');
    await expectRefused(`${content}.${signature}`, 'algorithm');
  });

  it('is rejected with an algorithm that is not in the list', async () => {
    const pair = await pairOf('ES384');
    await expectRefused(await sign({}, {}, Promise.resolve(pair)), 'algorithm');
  });

  it('is rejected with a key of another client, also under the kid of one of its own', async () => {
    const { jwk } = await es256();
    const other = { ...(await pairOf('ES256')), jwk };
    await expectRefused(await sign({}, {}, Promise.resolve(other)), 'not signed with a key of this client');
    await expectRefused(await sign({}, { kid: 'unknown' }), 'not signed with a key of this client');
    await expectRefused(await sign(), 'not signed with a key of this client', { keys: [] });
  });

  it('is rejected when its header brings its own key', async () => {
    const other = await pairOf('ES256');
    const { kid: _kid, ...jwk } = other.jwk;
    await expectRefused(await sign({}, { jwk, kid: undefined }, Promise.resolve(other)), 'not signed');
  });

  it('is rejected without a kid where several keys fit', async () => {
    const [one, other] = [await pairOf('ES256'), await pairOf('ES256')];
    const keys = { keys: [one.jwk, { ...other.jwk, kid: 'other' }] } as object as ClientKeySet;
    await expectRefused(await sign({}, { kid: undefined }, Promise.resolve(one)), 'kid', keys);
  });

  it('is rejected with a changed claim, and with a critical header that is not understood', async () => {
    const [header, , signature] = (await sign()).split('.');
    await expectRefused(`${header}.${encode({ ...CLAIMS, sub: 'etl', jti: 'two' })}.${signature}`, 'not signed');
    const { alg, privateKey } = await es256();
    const critical = await new SignJWT(CLAIMS).setProtectedHeader({ alg, crit: ['b64'], b64: true }).sign(privateKey);
    await expectRefused(critical.replace(/^[^.]+/, encode({ alg, crit: ['x'], x: 1 })), 'not signed');
  });
});

describe('the hint of an assertion', () => {
  it('names its client and key', async () => {
    expect(readAssertionHint(await sign())).toEqual({ clientId: 'etl', keyId: 'key of ES256' });
    expect(readAssertionHint(await sign({}, { kid: undefined })).keyId).toBeUndefined();
  });

  it.each(['', 'x', 'a.b', 'a.b.c', 'a.b.c.d', `${'a'.repeat(9000)}.b.c`, `${encode({})}.${encode({ sub: 5 })}.x`])(
    'is rejected for a text that is not a JWT (%#)',
    (text) => {
      expect(() => readAssertionHint(text)).toThrow('The client assertion is not valid');
    },
  );
});
