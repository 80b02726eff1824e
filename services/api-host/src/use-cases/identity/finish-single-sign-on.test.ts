import { describe, expect, it } from '@jest/globals';
import { sealLink, sealLogin, type VerifiedIdentity } from '@sluice/auth';
import { ProblemError } from '@sluice/contract';
import { storedProvider, storedUser } from '../../../tests/administration/in-memory-administration.ts';
import type { AdmitIdentity } from './admit-identity.ts';
import { createFinishSingleSignOn, type FinishSingleSignOnInput } from './finish-single-sign-on.ts';
import type { LoginInProgress } from './start-single-sign-on.ts';

const tenant = { id: 't', name: 'acme', state: 'active', settings: {} } as const;
const caller = { tenant, origin: { address: '192.0.2.1', requestId: 'r' } };
const user = storedUser('ann@example.com', ['analyst']);
const stored = storedProvider({ returnTo: ['https://app.example.com'] });
const login: LoginInProgress = {
  issuer: stored.issuer,
  clientId: stored.clientId,
  redirectUri: 'https://api.example.com/auth/callback/acme',
  nonce: 'nonce',
  codeVerifier: 'verifier',
};
const identity: VerifiedIdentity = {
  issuer: stored.issuer,
  subject: 's',
  idToken: 'token',
  claims: { email: 'Ann@example.com' },
};

interface Given {
  readonly sealed?: Uint8Array | undefined;
  readonly provider?: typeof stored | undefined;
  readonly redeem?: () => Promise<VerifiedIdentity>;
  readonly admit?: AdmitIdentity;
}

/** One login that waits for its callback. The other use-cases report their calls. */
function fixture(given: Given = {}) {
  const calls: unknown[] = [];
  const found = 'provider' in given ? given.provider : stored;
  let sealed = 'sealed' in given ? given.sealed : sealLogin('cookie', login);
  const finish = createFinishSingleSignOn({
    oidc: {
      async redeem(_provider, input, callback) {
        calls.push(['redeem', input.state, input.codeVerifier, `${callback}`]);
        return (await given.redeem?.()) ?? identity;
      },
    },
    logins: {
      async take() {
        const taken = sealed;
        sealed = undefined;
        return taken;
      },
    },
    findProvider: async () => found && { stored: found, client: { ...found, clientSecret: null } },
    admit: given.admit ?? (async () => ({ kind: 'admitted', user, isLinked: false })),
    testAdmission: async (_caller, tested) => {
      calls.push(['test', tested.identity.subject]);
      return {
        claims: tested.identity.claims,
        groups: [],
        roles: undefined,
        outcome: { kind: 'linked', email: 'ann@example.com' },
      };
    },
    openIdentitySession: async (_caller, { admitted, returnTo }) => {
      const opened = { user: admitted.user.email, userId: admitted.user.id };
      calls.push(['open session', returnTo]);
      return returnTo === undefined
        ? { ...opened, tokens: 'tokens' as never }
        : { ...opened, returnTo, session: 1 as never };
    },
    beginLink: async (_caller, { link, cookie }) => {
      calls.push(['begin link', link.user.email, cookie]);
      return 'link token';
    },
    rememberDevice: async ({ sent }) => `device after ${sent}`,
    throttle: {
      delayAddress: async (tenantId, address) => void calls.push(['delay', tenantId, address]),
      countAddressFailure: async (tenantId, address) => void calls.push(['count', tenantId, address]),
    },
    recordFailure: async (_caller, failure) => void calls.push(['record', failure]),
  });
  const input = (change: Partial<FinishSingleSignOnInput> = {}): FinishSingleSignOnInput => ({
    query: { state: 'state', code: 'code', iss: undefined },
    cookie: 'cookie',
    deviceCookie: 'sent',
    sessionCookie: undefined,
    checkReturnTo: (returnTo) => returnTo,
    ...change,
  });
  return { calls, finish: (change?: Partial<FinishSingleSignOnInput>) => finish(caller, input(change)) };
}

const DELAYED = ['delay', 't', '192.0.2.1'];
const COUNTED = ['count', 't', '192.0.2.1'];
const REDEEMED = ['redeem', 'state', 'verifier', 'state=state&code=code'];

describe('the callback of a login', () => {
  it('opens a session once, and remembers the device', async () => {
    const { finish, calls } = fixture();
    expect(await finish()).toEqual({
      user: user.email,
      userId: user.id,
      tokens: 'tokens',
      deviceCookie: 'device after sent',
    });
    expect(calls).toEqual([DELAYED, REDEEMED, ['open session', undefined]]);
    await expect(finish()).rejects.toMatchObject({ code: 'invalid_request' });
    expect(calls).toHaveLength(3);
  });

  it('returns what a test login would do, and neither admits nor records anybody', async () => {
    const { finish, calls } = fixture({ sealed: sealLogin('cookie', { ...login, isTest: true }) });
    expect(await finish()).toEqual({
      claims: identity.claims,
      groups: [],
      roles: undefined,
      outcome: { kind: 'linked', email: 'ann@example.com' },
    });
    expect(calls).toEqual([DELAYED, REDEEMED, ['test', 's']]);
  });

  it('checks the address of the login again, with the addresses of the provider', async () => {
    const checked: unknown[] = [];
    const sealed = () => sealLogin('cookie', { ...login, returnTo: '/start' });
    const checkReturnTo = (returnTo: string, allowed: readonly string[]) => {
      checked.push([returnTo, allowed]);
      return 'https://app.example.com/start';
    };
    expect(await fixture({ sealed: sealed() }).finish({ checkReturnTo })).toMatchObject({
      returnTo: 'https://app.example.com/start',
    });
    expect(checked).toEqual([['/start', stored.returnTo]]);
    const refused = fixture({ sealed: sealed() });
    const reject = () => {
      throw new ProblemError('invalid_request', 'The address is not allowed.');
    };
    await expect(refused.finish({ checkReturnTo: reject })).rejects.toThrow('The address is not allowed.');
    expect(refused.calls).toEqual([]);
  });

  it.each<[string, Given, Partial<FinishSingleSignOnInput>]>([
    ['no state', {}, { query: { code: 'code' } }],
    ['no cookie', {}, { cookie: undefined }],
    ['the cookie of another browser', {}, { cookie: 'other' }],
    ['an unknown state', { sealed: undefined }, {}],
    ['a value that was sealed for a link', { sealed: sealLink('cookie', login) }, {}],
    ['a provider that was removed meanwhile', { provider: undefined }, {}],
    ['a provider with another issuer meanwhile', { provider: { ...stored, issuer: 'https://other.example' } }, {}],
    ['a provider with another client meanwhile', { provider: { ...stored, clientId: 'other' } }, {}],
  ])('is rejected with %s, and asks the provider nothing', async (_name, given, change) => {
    const { finish, calls } = fixture(given);
    await expect(finish(change)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(calls).toEqual([]);
  });

  it('returns a link token and records the subject for an account that must confirm the link', async () => {
    const { finish, calls } = fixture({ admit: async () => ({ kind: 'unconfirmed', user }) });
    expect(await finish()).toEqual({ user, identity, returnTo: undefined, linkToken: 'link token' });
    expect(calls).toEqual([
      DELAYED,
      REDEEMED,
      ['begin link', user.email, 'cookie'],
      ['record', { issuer: stored.issuer, subject: 's', user: user.email, reason: expect.any(String) }],
    ]);
  });
});

describe('a failed login', () => {
  const failure = (who: string, reason: string) => ['record', { issuer: stored.issuer, user: who, reason }];

  it('is recorded as unknown and counted for its address if the provider rejects it', async () => {
    const thrown = new ProblemError('unauthorized', 'The provider rejected it.');
    const { finish, calls } = fixture({ redeem: () => Promise.reject(thrown) });
    await expect(finish()).rejects.toBe(thrown);
    expect(calls).toEqual([DELAYED, REDEEMED, failure('unknown', 'The provider rejected it.'), COUNTED]);
  });

  it('is recorded with the e-mail of the identity if that has no account', async () => {
    const thrown = new ProblemError('access_denied', 'There is no such user.');
    const { finish, calls } = fixture({ admit: () => Promise.reject(thrown) });
    await expect(finish()).rejects.toBe(thrown);
    expect(calls).toEqual([DELAYED, REDEEMED, failure('ann@example.com', 'There is no such user.'), COUNTED]);
  });

  it('is recorded and not counted if the provider is unavailable', async () => {
    const thrown = new ProblemError('service_unavailable', 'The provider is unavailable.');
    const { finish, calls } = fixture({ redeem: () => Promise.reject(thrown) });
    await expect(finish()).rejects.toBe(thrown);
    expect(calls).toEqual([DELAYED, REDEEMED, failure('unknown', 'The provider is unavailable.')]);
  });

  it('does not record the message of an unexpected error', async () => {
    const { finish, calls } = fixture({ redeem: () => Promise.reject(new Error('secret of a library')) });
    await expect(finish()).rejects.toThrow('secret of a library');
    expect(JSON.stringify(calls)).not.toContain('secret of a library');
  });
});
