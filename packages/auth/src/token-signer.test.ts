import { beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPair, type JWTPayload, jwtVerify } from 'jose';
import { TOKEN_ALGORITHM } from './key-ring.ts';
import { createTokenSigner, type TokenSigner } from './token-signer.ts';

const NOW = 1_700_000_000_000;
const user = {
  tenantName: 'acme',
  account: { kind: 'user', id: 'u', name: 'ann@example.com', roles: ['analyst'] },
  sessionId: 's',
} as const;
const client = { ...user, account: { ...user.account, kind: 'client', name: 'etl' } } as const;

let signer: TokenSigner;
let claimsOf: (token: string) => Promise<{ payload: JWTPayload; protectedHeader: object }>;

beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair(TOKEN_ALGORITHM);
  signer = createTokenSigner({
    keys: { signer: () => ({ kid: 'k', key: privateKey }) as never },
    lifetimeSeconds: 300,
    issuerTemplate: 'https://{tenant}.issuer.test',
    audience: 'sluice',
    now: () => NOW,
  });
  claimsOf = (token) => jwtVerify(token, publicKey, { currentDate: new Date(NOW) });
});

describe('a token', () => {
  it('has the account, the session and the lifetime, and is signed by the current key', async () => {
    const { payload, protectedHeader } = await claimsOf(await signer.sign('id', user, 300));
    expect(signer.keyId()).toBe('k');
    expect(protectedHeader).toMatchObject({ alg: TOKEN_ALGORITHM, kid: 'k' });
    expect(payload).toEqual({
      iss: 'https://acme.issuer.test',
      aud: 'sluice',
      sub: 'u',
      email: 'ann@example.com',
      tenant: 'acme',
      roles: ['analyst'],
      sid: 's',
      token_use: 'id',
      jti: expect.any(String),
      iat: NOW / 1000,
      nbf: NOW / 1000,
      exp: NOW / 1000 + 300,
    });
  });

  it('has no e-mail for a client', async () => {
    expect((await claimsOf(await signer.sign('access', client, 300))).payload).not.toHaveProperty('email');
  });

  it('has an id of its own', async () => {
    const tokens = await Promise.all([1, 2].map(() => signer.sign('id', user, 300)));
    const ids = await Promise.all(tokens.map(async (token) => (await claimsOf(token)).payload.jti));
    expect(new Set(ids).size).toBe(2);
  });

  it('names its use in the header, so that one kind is not accepted as the other', async () => {
    const types = await Promise.all(
      (['id', 'access'] as const).map(
        async (use) => (await claimsOf(await signer.sign(use, user, 300))).protectedHeader,
      ),
    );
    expect(new Set(types.map((header) => Reflect.get(header, 'typ'))).size).toBe(2);
  });
});

describe('the lifetime of a token', () => {
  it.each([
    ['its own, if the session lasts longer', 3600, 300],
    ['that of the session, in whole seconds', 90.9, 90],
    ['one second at the end of the session', 0.2, 1],
    ['one second after the end of the session', -10, 1],
  ])('is %s', (_name, sessionSeconds, seconds) => {
    expect(signer.lifetimeSeconds(new Date(NOW + sessionSeconds * 1000))).toBe(seconds);
  });
});

describe('the audience of a token', () => {
  const audienceOf = async (targets?: readonly ('api' | 'stream')[]) => {
    const { privateKey, publicKey } = await generateKeyPair(TOKEN_ALGORITHM);
    const both = createTokenSigner({
      keys: { signer: () => ({ kid: 'k', key: privateKey }) as never },
      lifetimeSeconds: 300,
      issuerTemplate: 'https://{tenant}.issuer.test',
      audience: 'sluice',
      apiAudience: 'sluice-api',
      now: () => NOW,
    });
    const audiences = async (token: string) =>
      (await jwtVerify(token, publicKey, { currentDate: new Date(NOW) })).payload.aud;
    return [
      await audiences(await both.sign('access', { ...user, targets }, 300)),
      await audiences(await both.sign('id', { ...user, targets }, 300)),
    ];
  };

  it('names the hosts that the program asked for, or both', async () => {
    expect(await audienceOf()).toEqual([['sluice', 'sluice-api'], 'sluice']);
    expect(await audienceOf(['api'])).toEqual([['sluice-api'], 'sluice']);
    expect(await audienceOf(['stream'])).toEqual([['sluice'], 'sluice']);
  });

  it('of an ID token for a program is the program, with the type of any JWT', async () => {
    const login = { ...user, oauthClient: 'portal', nonce: 'n', authenticated: new Date(NOW - 5000) };
    const { payload, protectedHeader } = await claimsOf(await signer.signIdentity(login, 300));
    expect(protectedHeader).toMatchObject({ typ: 'JWT' });
    expect(payload).toMatchObject({ aud: 'portal', azp: 'portal', nonce: 'n', auth_time: NOW / 1000 - 5, sub: 'u' });
    expect(Object.keys(payload)).not.toContain('token_use');
    expect(Object.keys(payload)).not.toContain('roles');
  });
});
