import { describe, expect, it } from '@jest/globals';
import { hashOpaqueToken } from '@sluice/auth';
import { type AuditRecord, ProblemError } from '@sluice/contract';
import { storedProvider } from '../../../tests/administration/in-memory-administration.ts';
import { createLogOut, type LogOutInput } from './log-out.ts';

const tenant = { id: 't', name: 'acme', state: 'active', settings: {} } as const;
const caller = { tenant, origin: { address: '192.0.2.1', requestId: 'r' } };
const LOGIN_URL = 'https://api.example.com/auth/login/acme';
const provider = storedProvider();
const ACCOUNTS: Readonly<Record<string, string>> = { u: 'ann@example.com', v: 'bob@example.com' };

interface Given {
  readonly revokeFails?: Error;
  readonly tokenProblem?: Error;
  readonly tokenTenant?: string;
  readonly endSessionFails?: Error;
  readonly issuer?: string;
  readonly statusOf?: (accountId: string) => object | undefined;
}

/** Two live sessions: `of cookie` of Ann, from single sign-on, and `of token` of Bob, by password. */
function fixture(given: Given = {}) {
  const live = new Set(['of cookie', 'of token']);
  const audits: AuditRecord[] = [];
  const opened: unknown[] = [];
  const logOut = createLogOut({
    sessions: {
      findByCookie: async (_tenantId, hash) =>
        Buffer.from(hash).equals(Buffer.from(hashOpaqueToken('cookie')))
          ? { sid: 'of cookie', accountKind: 'user', accountId: 'u', expires: new Date(1), ageMs: 0 }
          : undefined,
      async revoke({ sid, audit }) {
        if (given.revokeFails !== undefined) throw given.revokeFails;
        if (!live.delete(sid)) return false;
        audits.push(audit);
        return true;
      },
      findIdentity: async (_tenantId, sid) =>
        sid === 'of cookie' ? { issuer: given.issuer ?? provider.issuer, sealed: Buffer.from('sealed') } : undefined,
    },
    authStatus: {
      ofSession: async ({ accountId }) =>
        (given.statusOf === undefined
          ? { account: { id: accountId, kind: 'user', name: ACCOUNTS[accountId], roles: [] }, sessionLive: true }
          : given.statusOf(accountId)) as never,
    },
    tokens: {
      async verify(token, use) {
        if (given.tokenProblem !== undefined) throw given.tokenProblem;
        opened.push([token, use]);
        return { tenantName: given.tokenTenant ?? 'acme', sessionId: 'of token', accountId: 'v' } as never;
      },
    },
    oidc: {
      async endSessionUrl(_client, { idToken, redirectUri }) {
        if (given.endSessionFails !== undefined) throw given.endSessionFails;
        return new URL(`https://idp.example.com/end?hint=${idToken}&back=${redirectUri}`);
      },
    },
    box: { open: (sealed, context) => `${Buffer.from(sealed).toString()} for ${context}` },
    findProvider: async () => ({ stored: provider, client: { ...provider, clientSecret: null } }),
  });
  const send = (input: Partial<LogOutInput>) =>
    logOut(caller, { cookie: undefined, idToken: undefined, loginUrl: LOGIN_URL, ...input });
  return { send, live, audits, opened };
}

describe('a log-out', () => {
  it('ends the sessions of the cookie and of the ID token, each with a record, and names their users', async () => {
    const { send, live, audits } = fixture();
    const { users } = await send({ cookie: 'cookie', idToken: 'token' });
    expect(users).toEqual(['ann@example.com', 'bob@example.com']);
    expect([...live]).toEqual([]);
    expect(audits).toEqual([
      expect.objectContaining({ action: 'LOGOUT', user: 'ann@example.com', sessionId: 'of cookie', requestId: 'r' }),
      expect.objectContaining({ action: 'LOGOUT', user: 'bob@example.com', sessionId: 'of token', requestId: 'r' }),
    ]);
  });

  it('reports no user and writes no second record when it is repeated', async () => {
    const { send, audits } = fixture();
    await send({ cookie: 'cookie' });
    expect(await send({ cookie: 'cookie' })).toEqual({ users: [], endSessionUrl: undefined });
    expect(audits).toHaveLength(1);
  });

  it('fails if the session or its record cannot be written, and does not report the user as logged out', async () => {
    const { send, live } = fixture({ revokeFails: new Error('no audit') });
    await expect(send({ cookie: 'cookie' })).rejects.toThrow('no audit');
    expect(live.size).toBe(2);
  });

  it.each<[string, Given, Partial<LogOutInput>]>([
    ['no credential', {}, {}],
    ['an empty ID token', {}, { idToken: '' }],
    ['an unknown cookie', {}, { cookie: 'other' }],
    ['an invalid ID token', { tokenProblem: new ProblemError('unauthorized', 'expired') }, { idToken: 'token' }],
    ['the ID token of another tenant', { tokenTenant: 'globex' }, { idToken: 'token' }],
    ['an account that was removed', { statusOf: () => ({ account: undefined }) }, { cookie: 'cookie' }],
    ['a tenant that was removed', { statusOf: () => undefined }, { cookie: 'cookie' }],
  ])('with %s ends nothing and is not an error', async (_name, given, input) => {
    const { send, live, audits } = fixture(given);
    expect(await send(input)).toEqual({ users: [], endSessionUrl: undefined });
    expect([live.size, audits]).toEqual([2, []]);
  });

  it('fails if the keys of ID tokens cannot be read, because the session would go on', async () => {
    const { send } = fixture({ tokenProblem: new ProblemError('service_unavailable', 'no keys') });
    await expect(send({ idToken: 'token' })).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('accepts ID tokens only', async () => {
    const { send, opened } = fixture();
    await send({ idToken: 'token' });
    expect(opened).toEqual([['token', 'id']]);
  });
});

describe('the session of the identity provider', () => {
  it('is ended at its address, with the ID token that was sealed for this session', async () => {
    const { endSessionUrl } = await fixture().send({ cookie: 'cookie' });
    expect(endSessionUrl).toBe(
      `https://idp.example.com/end?hint=sealed%20for%20session%20of%20cookie&back=${LOGIN_URL}`,
    );
  });

  it('is not named for a login by password', async () => {
    expect((await fixture().send({ idToken: 'token' })).endSessionUrl).toBeUndefined();
  });

  it('is not named if the tenant has another provider meanwhile', async () => {
    const { send } = fixture({ issuer: 'https://former.example.com' });
    expect(await send({ cookie: 'cookie' })).toEqual({ users: ['ann@example.com'], endSessionUrl: undefined });
  });

  it('is left open if the provider is unavailable: our session has ended', async () => {
    const { send, live } = fixture({ endSessionFails: new ProblemError('service_unavailable', 'down') });
    expect(await send({ cookie: 'cookie' })).toEqual({ users: ['ann@example.com'], endSessionUrl: undefined });
    expect(live.has('of cookie')).toBe(false);
  });
});
