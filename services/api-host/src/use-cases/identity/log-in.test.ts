import { describe, expect, it } from '@jest/globals';
import { hashOpaqueToken, type SecretVerifier } from '@sluice/auth';
import { createLogInForCookie, createLogInForTokens, type LogInInput } from './log-in.ts';
import type { VerifiedLogin } from './open-session.ts';

type SecretAttempt = Parameters<SecretVerifier['verify']>[0];

const tenant = { id: 't', name: 'acme', state: 'active', settings: {} } as const;
const caller = { tenant, origin: { address: '192.0.2.1', requestId: 'r' } };
const account = {
  kind: 'user',
  id: 'u',
  name: 'ann@example.com',
  roles: [],
  permissions: [],
  disabled: false,
} as const;
const { signal } = new AbortController();
const INPUT: LogInInput = {
  email: 'ann@example.com',
  password: 'right',
  deviceCookie: 'device',
  sessionCookie: undefined,
  signal,
};

interface Given {
  /** Error of the session store, which writes the session and its audit record in one transaction. */
  readonly openFails?: Error;
  readonly rememberedDevice?: string | undefined;
}

/** A tenant with one user and one earlier session, whose cookie is `earlier`. */
function fixture(given: Given = {}) {
  const calls: string[] = [];
  const attempts: SecretAttempt[] = [];
  const logins: VerifiedLogin[] = [];
  const open = async (login: VerifiedLogin): Promise<never> => {
    calls.push('open session');
    logins.push(login);
    if (given.openFails !== undefined) throw given.openFails;
    return 'opened' as never;
  };
  const dependencies = {
    secrets: {
      async verify(attempt: SecretAttempt) {
        calls.push('verify');
        attempts.push(attempt);
        if (attempt.secret !== 'right') throw new Error('wrong secret');
        return { tenant, account, secretHash: 'hash', secretId: 's' };
      },
    },
    sessions: {
      findByCookie: async (tenantId: string, hash: Uint8Array) =>
        tenantId === 't' && Buffer.from(hash).equals(Buffer.from(hashOpaqueToken('earlier')))
          ? { sid: 'earlier session', accountKind: 'user' as const, accountId: 'u', expires: new Date(1), ageMs: 0 }
          : undefined,
    },
    openSession: { forTokens: open, forCookie: open },
    async rememberDevice(input: object) {
      calls.push(`remember ${JSON.stringify(input)}`);
      return 'rememberedDevice' in given ? given.rememberedDevice : 'next device';
    },
  };
  const logIn = createLogInForTokens(dependencies);
  const logInAtPage = createLogInForCookie(dependencies);
  return {
    calls,
    attempts,
    logins,
    logIn: (change: Partial<LogInInput> = {}) => logIn(caller, { ...INPUT, ...change }),
    logInAtPage: (change: Partial<LogInInput> = {}) => logInAtPage(caller, { ...INPUT, ...change }),
  };
}

describe('a login', () => {
  it('verifies the password, opens a session with the hash that matched, and then remembers the device', async () => {
    const { logIn, calls, attempts, logins } = fixture();
    expect(await logIn()).toEqual({ tokens: 'opened', deviceCookie: 'next device' });
    expect(calls).toEqual(['verify', 'open session', 'remember {"tenantId":"t","userId":"u","sent":"device"}']);
    expect(attempts).toEqual([
      {
        tenantName: 'acme',
        method: 'password',
        name: 'ann@example.com',
        secret: 'right',
        origin: caller.origin,
        deviceCookie: 'device',
        session: undefined,
        signal,
      },
    ]);
    expect(logins).toEqual([
      {
        tenant,
        account,
        origin: caller.origin,
        deviceCookie: 'device',
        secretHash: 'hash',
        metadata: { method: 'password' },
      },
    ]);
  });

  it('is recorded as sign_in_page and returns a session cookie at the page', async () => {
    const { logInAtPage, logins } = fixture();
    expect(await logInAtPage()).toEqual({ session: 'opened', deviceCookie: 'next device' });
    expect(logins[0]?.metadata).toEqual({ method: 'sign_in_page' });
  });

  it.each([
    ['earlier', { sessionId: 'earlier session', accountId: 'u' }],
    ['unknown', undefined],
  ])('with the session cookie "%s" passes the session %j to the throttle', async (sessionCookie, session) => {
    const { logIn, attempts } = fixture();
    await logIn({ sessionCookie });
    expect(attempts[0]?.session).toEqual(session);
  });

  it('succeeds without a device cookie if the device cannot be stored', async () => {
    expect(await fixture({ rememberedDevice: undefined }).logIn()).toEqual({
      tokens: 'opened',
      deviceCookie: undefined,
    });
  });
});

describe.each(['logIn', 'logInAtPage'] as const)('%s', (form) => {
  it('opens no session and remembers no device for a wrong password', async () => {
    const { calls, [form]: logIn } = fixture();
    await expect(logIn({ password: 'wrong' })).rejects.toThrow('wrong secret');
    expect(calls).toEqual(['verify']);
  });

  it('fails and remembers no device if the session or its audit record cannot be written', async () => {
    const { calls, [form]: logIn } = fixture({ openFails: new Error('no audit') });
    await expect(logIn()).rejects.toThrow('no audit');
    expect(calls).toEqual(['verify', 'open session']);
  });
});
