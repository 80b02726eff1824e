import { describe, expect, it } from '@jest/globals';
import { createOpaqueToken, hashOpaqueToken, openLogin } from '@sluice/auth';
import { ProblemError } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import type { TenantProvider } from './find-tenant-provider.ts';
import { createStartSingleSignOn } from './start-single-sign-on.ts';

const { tenant } = buildCaller('ann').principal;
const caller = { tenant, origin: { requestId: 'r', address: '192.0.2.1' } };
const provider = { client: { issuer: 'https://idp.example.com', clientId: 'sluice' } } as TenantProvider;
const redirectUri = 'https://api.example.com/auth/callback/acme';

interface Asked {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

function fixture(beginFails?: Error) {
  const stored: Record<string, unknown>[] = [];
  const asked: Asked[] = [];
  const start = createStartSingleSignOn({
    oidc: {
      authorizationUrl: async (_client, request) => {
        asked.push(request as Asked);
        return new URL('https://idp.example.com/authorize');
      },
    },
    logins: {
      begin: async (login) => {
        if (beginFails !== undefined) throw beginFails;
        stored.push({ ...login });
      },
    },
  });
  const begin = (cookie?: string) => start(caller, { provider, redirectUri, returnTo: undefined, cookie });
  return { stored, asked, begin };
}

describe('a single sign-on', () => {
  it('is stored sealed under a cookie, by hashes, and leads to the provider', async () => {
    const { stored, asked, begin } = fixture();
    const { location, cookie } = await begin();
    expect(location).toBe('https://idp.example.com/authorize');
    const [{ state = '', nonce, codeVerifier } = {}] = asked;
    expect(stored).toMatchObject([
      { tenantId: 't', stateHash: hashOpaqueToken(state), cookieHash: hashOpaqueToken(cookie), lifetimeMs: 600_000 },
    ]);
    expect(openLogin(cookie, stored[0]?.['sealed'] as Uint8Array)).toEqual({
      issuer: 'https://idp.example.com',
      clientId: 'sluice',
      redirectUri,
      nonce,
      codeVerifier,
    });
    expect(codeVerifier).toMatch(/^[\w-]{64}$/);
  });

  it('keeps the cookie of another tab, and replaces one that it did not make', async () => {
    const { begin } = fixture();
    const sent = createOpaqueToken();
    expect((await begin(sent)).cookie).toBe(sent);
    expect((await begin('chosen by an attacker')).cookie).not.toBe('chosen by an attacker');
  });

  it('has a state, nonce and verifier of its own each time', async () => {
    const { asked, begin } = fixture();
    await begin();
    await begin();
    const values = asked.flatMap(({ state, nonce, codeVerifier }) => [state, nonce, codeVerifier]);
    expect(new Set(values).size).toBe(6);
  });

  it('beyond the limit of its address sends no request to the provider', async () => {
    const { asked, begin } = fixture(new ProblemError('too_many_requests', 'Too many.'));
    await expect(begin()).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(asked).toEqual([]);
  });
});
