import { describe, expect, it } from '@jest/globals';
import { hashOpaqueToken } from '@sluice/auth';
import type { NewSession } from '@sluice/store/identity';
import { createOpenSession, identityContext, type VerifiedLogin } from './open-session.ts';

const tenant = { id: 't', name: 'acme', state: 'active', settings: {} } as const;
const account = { kind: 'user', id: 'u', name: 'ann@example.com', roles: ['analyst'] } as const;
const LOGIN: VerifiedLogin = {
  tenant,
  account,
  origin: { address: '192.0.2.1', requestId: 'r' },
  metadata: { method: 'password' },
  secretHash: 'hash',
};
const SSO: VerifiedLogin = {
  ...LOGIN,
  identity: { issuer: 'https://idp.example.com', subject: 's', idToken: 'token' },
};
const NOW_MS = 1_000_000;

interface Given {
  readonly sessionLifetimeMs?: number;
  readonly ssoSessionLifetimeMs?: number;
  readonly createFails?: Error;
}

function fixture(given: Given = {}) {
  const created: NewSession[] = [];
  const openSession = createOpenSession({
    sessions: {
      async create(session) {
        if (given.createFails !== undefined) throw given.createFails;
        created.push(session);
      },
    },
    signer: {
      signIdentity: async () => '',
      keyId: () => 'k',
      lifetimeSeconds: (expires) => Math.min(900, (expires.getTime() - NOW_MS) / 1000),
      sign: async (use, { sessionId }, lifetimeSeconds) => `${use} of ${sessionId} for ${lifetimeSeconds} s`,
    },
    box: { seal: (text, context) => Buffer.from(`${text} sealed for ${context}`) },
    sessionLifetimeMs: 60_000_500,
    ssoSessionLifetimeMs: 30_000_000,
    sessionsMax: 7,
    now: () => NOW_MS,
    ...given,
  });
  return { created, openSession };
}

describe('tokens', () => {
  it('belong to a new session, which stores only the hash of the refresh token, with the record of the login', async () => {
    const { created, openSession } = fixture();
    const tokens = await openSession.forTokens(LOGIN);
    const [session] = created;
    expect(tokens).toEqual({
      id_token: `id of ${session?.sid} for 900 s`,
      access_token: `access of ${session?.sid} for 900 s`,
      refresh_token: expect.any(String),
      expires_in: 900,
      token_type: 'Bearer',
    });
    expect(session).toEqual({
      tenantId: 't',
      sid: expect.any(String),
      account,
      device: { cookieHash: undefined, program: 'unknown', name: '' },
      expires: new Date(NOW_MS + 60_000_500),
      keyId: 'k',
      secretHash: 'hash',
      sessionsMax: 7,
      refreshToken: { family: expect.any(String), tokenHash: hashOpaqueToken(tokens.refresh_token ?? '') },
      audit: {
        tenantId: 't',
        user: account.name,
        action: 'LOGIN',
        target: account.name,
        sessionId: session?.sid,
        metadata: { method: 'password' },
        ...LOGIN.origin,
      },
    });
  });

  it('differ for each login', async () => {
    const { created, openSession } = fixture();
    const [one, other] = [await openSession.forTokens(LOGIN), await openSession.forTokens(LOGIN)];
    expect(one.refresh_token).not.toBe(other.refresh_token);
    expect(new Set(created.map(({ sid }) => sid)).size).toBe(2);
    expect(new Set(created.map(({ refreshToken }) => refreshToken?.family)).size).toBe(2);
  });
});

describe('a cookie', () => {
  it('is stored as a hash without a refresh token, and lives in whole seconds as long as its session at most', async () => {
    const { created, openSession } = fixture();
    const { value, lifetimeSeconds } = await openSession.forCookie(LOGIN);
    expect(lifetimeSeconds).toBe(60_000);
    expect(created[0]?.cookieHash).toEqual(hashOpaqueToken(value));
    expect(created[0]).not.toHaveProperty('refreshToken');
    expect(JSON.stringify(created)).not.toContain(value);
  });
});

describe('a session of single sign-on', () => {
  it('seals the ID token of the provider for itself', async () => {
    const { created, openSession } = fixture();
    await openSession.forCookie(SSO);
    const [session] = created;
    const context = identityContext(session?.sid ?? '');
    expect(session?.identity?.issuer).toBe('https://idp.example.com');
    expect(Buffer.from(session?.identity?.sealed ?? []).toString()).toBe(`token sealed for ${context}`);
    expect(JSON.stringify(session?.audit)).not.toContain('"token"');
  });

  it.each([
    [30_000_000, 60_000_000, 30_000],
    [90_000_000, 60_000_000, 60_000],
  ])('lives %i ms, but at most the %i ms of any session', async (ssoSessionLifetimeMs, sessionLifetimeMs, seconds) => {
    const { created, openSession } = fixture({ ssoSessionLifetimeMs, sessionLifetimeMs });
    expect((await openSession.forCookie(SSO)).lifetimeSeconds).toBe(seconds);
    expect(created[0]?.expires).toEqual(new Date(NOW_MS + seconds * 1000));
    expect((await openSession.forCookie(LOGIN)).lifetimeSeconds).toBe(sessionLifetimeMs / 1000);
  });
});

it('returns no tokens and no cookie if the session or its record cannot be written', async () => {
  const { openSession } = fixture({ createFails: new Error('no audit') });
  await expect(openSession.forTokens(LOGIN)).rejects.toThrow('no audit');
  await expect(openSession.forCookie(LOGIN)).rejects.toThrow('no audit');
});
