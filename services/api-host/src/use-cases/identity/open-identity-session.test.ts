import { expect, it } from '@jest/globals';
import { buildCaller } from '@sluice/testkit';
import { createOpenIdentitySession } from './open-identity-session.ts';
import type { OpenSession } from './open-session.ts';

const { tenant } = buildCaller('ann').principal;
const caller = { tenant, origin: { requestId: 'r', address: '192.0.2.1' } };
const user = { id: 'u', email: 'ann@example.com', roles: ['analyst'] };
const identity = { issuer: 'https://idp.example.com', idToken: 'token' };

/** Opens a session and returns it with the login that was recorded. */
async function open(input: object, isLinked = false) {
  const logins: unknown[] = [];
  const openSession = {
    forTokens: async (login: unknown) => {
      logins.push(login);
      return 'tokens';
    },
    forCookie: async (login: unknown) => {
      logins.push(login);
      return 'cookie';
    },
  } as unknown as OpenSession;
  const admitted = { user, isLinked };
  const opened = await createOpenIdentitySession(openSession)(caller, { admitted, identity, ...input } as never);
  return { opened, login: logins[0] };
}

it('a single sign-on without an address to return to gets tokens', async () => {
  const { opened, login } = await open({ returnTo: undefined });
  expect(opened).toEqual({ user: 'ann@example.com', userId: 'u', tokens: 'tokens' });
  expect(login).toMatchObject({
    account: { kind: 'user', id: 'u', name: 'ann@example.com', roles: ['analyst'] },
    identity,
    metadata: { method: 'single_sign_on', issuer: identity.issuer },
  });
});

it('a single sign-on of a page gets a cookie, and its record says how it was linked', async () => {
  const returnTo = 'https://console.example.com/';
  const { opened, login } = await open({ returnTo, confirmedBy: 'password' }, true);
  expect(opened).toEqual({ user: 'ann@example.com', userId: 'u', returnTo, session: 'cookie' });
  expect(login).toMatchObject({ metadata: { linked: true, confirmed_by: 'password' } });
});
