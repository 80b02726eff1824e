import { beforeAll, describe, expect, it } from '@jest/globals';
import { type CryptoKey, generateKeyPair, SignJWT } from 'jose';
import { TOKEN_LIFETIME_SECONDS_MAX } from './token-claims.ts';
import { createTokenSigner } from './token-signer.ts';
import { createTokenVerifier } from './token-verifier.ts';

const NAMES = { issuerTemplate: 'https://{tenant}.example.com', audience: 'sluice' };
const NOW_S = 1_800_000_000;
const SUBJECT = {
  tenantName: 'acme',
  account: { kind: 'user', id: 'id of ann', name: 'ann@example.com', roles: ['analyst'] },
  sessionId: 'session',
} as const;

const clock = { nowS: NOW_S };
const now = () => clock.nowS * 1000;
let pair: { readonly publicKey: CryptoKey; readonly privateKey: CryptoKey };
beforeAll(async () => {
  pair = await generateKeyPair('ES256');
});

const signer = () =>
  createTokenSigner({
    ...NAMES,
    keys: { signer: () => ({ kid: 'k1', key: pair.privateKey }) },
    lifetimeSeconds: 600,
    now,
  });
const verifier = () =>
  createTokenVerifier({ ...NAMES, keys: { find: async (kid) => (kid === 'k1' ? pair.publicKey : undefined) }, now });

/** Signs a token that is valid except for the given changes. */
const forge = (payload: Readonly<Record<string, unknown>> = {}, header: object = {}): Promise<string> =>
  new SignJWT({
    ...{ iss: 'https://acme.example.com', aud: 'sluice', sub: 'id of ann', jti: 'j', sid: 'session', tenant: 'acme' },
    ...{ token_use: 'id', iat: NOW_S, nbf: NOW_S, exp: NOW_S + 600 },
    ...payload,
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'id+jwt', kid: 'k1', ...header })
    .sign(pair.privateKey);

describe('createTokenVerifier', () => {
  it('accepts a signed token for its use only', async () => {
    clock.nowS = NOW_S;
    const token = await signer().sign('id', SUBJECT, 600);
    expect(await verifier().verify(token, 'id')).toEqual({
      tenantName: 'acme',
      accountId: 'id of ann',
      sessionId: 'session',
      keyId: 'k1',
    });
    await expect(verifier().verify(token, 'access')).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
  });

  it('accepts a token until 30 s after its end', async () => {
    clock.nowS = NOW_S;
    const token = await signer().sign('access', SUBJECT, 600);
    clock.nowS = NOW_S + 629;
    expect((await verifier().verify(token, 'access')).sessionId).toBe('session');
    clock.nowS = NOW_S + 630;
    await expect(verifier().verify(token, 'access')).rejects.toThrow('it has expired');
    clock.nowS = NOW_S;
  });

  it.each<readonly [string, Readonly<Record<string, unknown>>, object, string]>([
    ['another audience', { aud: 'other' }, {}, 'its claim aud is not accepted here'],
    ['another issuer', { iss: 'https://globex.example.com' }, {}, 'it has another issuer'],
    ['a token_use that differs from its type', { token_use: 'access' }, {}, 'its token_use is not accepted here'],
    ['another type', {}, { typ: 'at+jwt' }, 'its claim typ is not accepted here'],
    ['no session', { sid: undefined }, {}, 'its claim sid is not accepted here'],
    ['an empty subject', { sub: '' }, {}, 'a claim is missing'],
    ['no expiry', { exp: undefined }, {}, 'its claim exp is not accepted here'],
    ['a start in the future', { nbf: NOW_S + 60 }, {}, 'its claim nbf is not accepted here'],
    ['an issue time in the future', { iat: NOW_S + 60 }, {}, 'its claim iat is not accepted here'],
    ['a longer lifetime than a day', { iat: NOW_S - TOKEN_LIFETIME_SECONDS_MAX - 60 }, {}, 'it has expired'],
    ['an unknown key', {}, { kid: 'k2' }, 'it names an unknown key'],
    ['no key id', {}, { kid: undefined }, 'it names an unknown key'],
    ['a key id that is an address', {}, { kid: 'https://attacker.example' }, 'it names an unknown key'],
  ])('rejects a token with %s', async (_name, payload, header, reason) => {
    const token = await forge(payload, header);
    await expect(verifier().verify(token, 'id')).rejects.toThrow(`The token is not valid: ${reason}. Log in again.`);
  });

  it('rejects a token with a changed signature, payload or algorithm', async () => {
    const [header = '', payload = '', signature = ''] = (await forge()).split('.');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const none = encode({ alg: 'none', typ: 'id+jwt', kid: 'k1' });
    for (const token of [
      `${header}.${payload}.${signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`,
      `${header}.${encode({ tenant: 'globex' })}.${signature}`,
      `${none}.${payload}.${signature}`,
    ]) {
      await expect(verifier().verify(token, 'id')).rejects.toThrow('its signature is invalid');
    }
  });

  it.each(['', 'a.b', 'a.b.c.d', 'a b.c.d', `${'x'.repeat(8192)}.b.c`])('rejects the text %#', async (text) => {
    await expect(verifier().verify(text, 'id')).rejects.toThrow('it is not a token of this service');
  });

  it('throws the error of the key source', async () => {
    const find = () => Promise.reject(new Error('outage'));
    const tokens = createTokenVerifier({ ...NAMES, keys: { find }, now });
    await expect(tokens.verify(await forge(), 'id')).rejects.toMatchObject({ cause: new Error('outage') });
  });
});

describe('createTokenSigner', () => {
  it('limits the lifetime to that of the session', () => {
    clock.nowS = NOW_S;
    const secondsTo = (seconds: number) => signer().lifetimeSeconds(new Date((NOW_S + seconds) * 1000));
    expect([secondsTo(3600), secondsTo(60), secondsTo(0), secondsTo(-5)]).toEqual([600, 60, 1, 1]);
    expect(signer().keyId()).toBe('k1');
  });

  it('puts the e-mail address into tokens of users only', async () => {
    const claimsOf = async (kind: 'user' | 'client') => {
      const token = await signer().sign('access', { ...SUBJECT, account: { ...SUBJECT.account, kind } }, 600);
      return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    };
    expect((await claimsOf('user')).email).toBe('ann@example.com');
    expect(await claimsOf('client')).not.toHaveProperty('email');
  });
});

describe('a token that was verified before', () => {
  /** A verifier whose key set a test can change. */
  const verifierOf = (set: Map<string, CryptoKey>) =>
    createTokenVerifier({ ...NAMES, keys: { find: async (kid) => set.get(kid) }, now });

  it('is accepted for its use only, and not with any other character', async () => {
    clock.nowS = NOW_S;
    const known = verifierOf(new Map([['k1', pair.publicKey]]));
    const token = await signer().sign('id', SUBJECT, 600);
    expect(await known.verify(token, 'id')).toEqual(await known.verify(token, 'id'));
    await expect(known.verify(token, 'access')).rejects.toMatchObject({ code: 'unauthorized' });
    const [head = '', payload = '', signature = ''] = token.split('.');
    const other = await forge({ sub: 'id of ben' });
    for (const forged of [
      `${head}.${other.split('.')[1]}.${signature}`,
      `${head}.${payload}.${signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`,
    ])
      await expect(known.verify(forged, 'id')).rejects.toThrow('its signature is invalid');
  });

  it('expires as before, and ends with its key', async () => {
    clock.nowS = NOW_S;
    const set = new Map([['k1', pair.publicKey]]);
    const known = verifierOf(set);
    const token = await signer().sign('access', SUBJECT, 2);
    clock.nowS = NOW_S + 31;
    expect((await known.verify(token, 'access')).sessionId).toBe('session');
    clock.nowS = NOW_S + 32;
    await expect(known.verify(token, 'access')).rejects.toThrow('it has expired');
    clock.nowS = NOW_S + 31;
    set.set('k1', (await generateKeyPair('ES256')).publicKey);
    await expect(known.verify(token, 'access')).rejects.toThrow('its signature is invalid');
    set.delete('k1');
    await expect(known.verify(token, 'access')).rejects.toThrow('it names an unknown key');
    clock.nowS = NOW_S;
  });
});
