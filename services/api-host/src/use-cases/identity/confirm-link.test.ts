import { describe, expect, it } from '@jest/globals';
import { hashOpaqueToken, type VerifiedIdentity } from '@sluice/auth';
import { ProblemError } from '@sluice/contract';
import { storedProvider, storedUser } from '../../../tests/administration/in-memory-administration.ts';
import { type ConfirmLinkInput, createConfirmLink } from './confirm-link.ts';
import type { OpenIdentitySession } from './open-identity-session.ts';

const tenant = { id: 't', name: 'acme', state: 'active', settings: {} } as const;
const caller = { tenant, origin: { address: '192.0.2.1', requestId: 'r' } };
const user = storedUser('admin@example.com', ['admin']);
const provider = storedProvider({ returnTo: ['https://app.example.com'] });
const identity: VerifiedIdentity = { issuer: provider.issuer, subject: 's', idToken: 'token', claims: {} };

interface Given {
  readonly provider?: typeof provider | undefined;
  readonly accountId?: string;
  readonly admitted?: 'admitted' | 'unconfirmed';
  readonly admitFails?: Error;
  readonly openFails?: Error;
}

/** One link that waits for its password. */
function fixture(given: Given = {}) {
  const calls: unknown[] = [];
  const stored = new Set(['form of browser']);
  const found = 'provider' in given ? given.provider : provider;
  const openIdentitySession: OpenIdentitySession = async (_caller, { returnTo, confirmedBy }) => {
    calls.push(['open session', returnTo, confirmedBy]);
    if (given.openFails !== undefined) throw given.openFails;
    return { user: user.email, userId: user.id, tokens: 'tokens' as never };
  };
  const confirm = createConfirmLink({
    logins: {
      async take({ stateHash, cookieHash }) {
        const isOurs =
          `${stateHash}` === `${hashOpaqueToken('form')}` && `${cookieHash}` === `${hashOpaqueToken('browser')}`;
        calls.push('take');
        return isOurs && stored.delete('form of browser') ? Buffer.from('sealed') : undefined;
      },
    },
    findProvider: async () => found && { stored: found, client: { ...found, clientSecret: null } },
    secrets: {
      async verify({ name, secret, deviceCookie }) {
        calls.push(['verify', name, deviceCookie]);
        if (secret !== 'right') throw new ProblemError('unauthorized', 'The e-mail or the password is wrong.');
        return { account: { id: given.accountId ?? user.id } } as never;
      },
    },
    async admit(_caller, { confirmedUserId }) {
      calls.push(['admit', confirmedUserId]);
      if (given.admitFails !== undefined) throw given.admitFails;
      return given.admitted === 'unconfirmed'
        ? { kind: 'unconfirmed', user }
        : { kind: 'admitted', user, isLinked: true };
    },
    openIdentitySession,
    async rememberDevice({ sent }) {
      calls.push(['remember', sent]);
      return 'next device';
    },
    recordFailure: async (_caller, failure) => void calls.push(['record', failure]),
  });
  const input = (change: Partial<ConfirmLinkInput>): ConfirmLinkInput => ({
    link: { user, identity, returnTo: undefined },
    token: 'form',
    password: 'right',
    cookie: 'browser',
    deviceCookie: 'device',
    sessionCookie: undefined,
    checkReturnTo: (returnTo) => returnTo,
    ...change,
  });
  return { calls, stored, confirm: (change: Partial<ConfirmLinkInput> = {}) => confirm(caller, input(change)) };
}

const VERIFIED = ['verify', 'admin@example.com', 'device'];
const failure = (reason: string) => ['record', { issuer: provider.issuer, user: 'admin@example.com', reason }];

describe('the confirmation of a link', () => {
  it('verifies the password, uses the form up, links, opens the session and remembers the device, in this order', async () => {
    const { confirm, calls } = fixture();
    expect(await confirm()).toEqual({
      user: user.email,
      userId: user.id,
      tokens: 'tokens',
      deviceCookie: 'next device',
    });
    expect(calls).toEqual([
      VERIFIED,
      'take',
      ['admit', user.id],
      ['open session', undefined, 'password'],
      ['remember', 'device'],
    ]);
  });

  it('works once', async () => {
    const { confirm, calls } = fixture();
    await confirm();
    calls.length = 0;
    await expect(confirm()).rejects.toMatchObject({ code: 'invalid_request' });
    expect(calls).toEqual([VERIFIED, 'take']);
  });

  it('keeps the form usable after a wrong password', async () => {
    const { confirm, stored } = fixture();
    await expect(confirm({ password: 'wrong' })).rejects.toMatchObject({ code: 'unauthorized' });
    expect(stored.size).toBe(1);
    expect(await confirm()).toMatchObject({ tokens: 'tokens' });
  });

  it('is rejected like a wrong password if the e-mail belongs to another account meanwhile', async () => {
    const { confirm, calls, stored } = fixture({ accountId: 'another account' });
    await expect(confirm()).rejects.toMatchObject({ code: 'unauthorized' });
    expect([calls, stored.size]).toEqual([[VERIFIED], 1]);
  });

  it.each<[string, Given, Partial<ConfirmLinkInput>]>([
    ['a provider that was removed meanwhile', { provider: undefined }, {}],
    ['a provider with another issuer meanwhile', { provider: { ...provider, issuer: 'https://other.example' } }, {}],
    [
      'an address that is no longer allowed',
      {},
      {
        link: { user, identity, returnTo: 'https://app.example.com' },
        checkReturnTo: () => {
          throw new ProblemError('invalid_request', 'not allowed');
        },
      },
    ],
  ])('is rejected with %s before the password is verified', async (_name, given, change) => {
    const { confirm, calls } = fixture(given);
    await expect(confirm(change)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(calls).toEqual([]);
  });

  it.each([
    ['another form', { token: 'other' }],
    ['another browser', { cookie: 'other' }],
    ['a browser without the cookie', { cookie: undefined }],
  ])('is rejected for %s and links nothing', async (_name, change) => {
    const { confirm, calls, stored } = fixture();
    await expect(confirm(change)).rejects.toMatchObject({ code: 'invalid_request' });
    expect([calls, stored.size]).toEqual([[VERIFIED, 'take'], 1]);
  });

  it('checks the address again with the addresses of the provider, and ends there', async () => {
    const checked: unknown[] = [];
    const { confirm, calls } = fixture();
    await confirm({
      link: { user, identity, returnTo: '/start' },
      checkReturnTo: (returnTo, allowed) => {
        checked.push([returnTo, allowed]);
        return 'https://app.example.com/start';
      },
    });
    expect(checked).toEqual([['/start', provider.returnTo]]);
    expect(calls).toContainEqual(['open session', 'https://app.example.com/start', 'password']);
  });
});

describe('a link that fails after its form was used', () => {
  it.each<[string, Given, string]>([
    ['the user may not log in', { admitFails: new ProblemError('access_denied', 'Disabled.') }, 'Disabled.'],
    ['the account changed meanwhile', { admitted: 'unconfirmed' }, 'This form is unknown, used,'],
    ['no session can be opened', { openFails: new ProblemError('unauthorized', 'Too late.') }, 'Too late.'],
  ])('is recorded, and no device is remembered, if %s', async (_name, given, reason) => {
    const { confirm, calls } = fixture(given);
    await expect(confirm()).rejects.toThrow(reason);
    expect(calls.at(-1)).toEqual(failure(expect.stringContaining(reason) as never));
  });

  it('does not record the message of an unexpected error', async () => {
    const { confirm, calls } = fixture({ openFails: new Error('secret of a library') });
    await expect(confirm()).rejects.toThrow('secret of a library');
    expect(JSON.stringify(calls)).not.toContain('secret of a library');
  });
});
