import { describe, expect, it } from '@jest/globals';
import { type AuthStatusReader, hashOpaqueToken } from '@sluice/auth';
import type { RefreshTokenStore } from '@sluice/store/identity';
import { createRefreshTokens, REFRESH_GRACE_MS } from './refresh-tokens.ts';

type RotateInput = Parameters<RefreshTokenStore['rotate']>[0];

const tenant = { id: 't', name: 'acme', state: 'active', settings: {} } as const;
const caller = { tenant, origin: { address: '192.0.2.1', requestId: 'r' } };
const account = { kind: 'user', id: 'u', name: 'ann@example.com', roles: ['analyst'], disabled: false } as const;

interface Given {
  readonly rotation?: 'rotated' | 'reused' | 'refused';
  readonly status?: unknown;
}

/** One session, whose refresh token is `first`. A token that was exchanged before is repeated, as within the grace time. */
function fixture(given: Given = {}) {
  const { rotation, status } = { rotation: 'rotated' as const, status: { account, sessionLive: true }, ...given };
  const rotations: RotateInput[] = [];
  const exchanged = new Map<string, Uint8Array>();
  let reuses = 0;
  const keyOf = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');
  const refresh = createRefreshTokens({
    refreshTokens: {
      find: async (tenantId, hash) =>
        tenantId === 't' && keyOf(hash) === keyOf(hashOpaqueToken('first'))
          ? {
              sid: 's',
              accountId: 'u',
              expires: new Date(90_000),
              oauthClient: null,
              scope: null,
              targets: null,
              state: 'current',
            }
          : undefined,
      async rotate(input) {
        rotations.push(input);
        const replay = exchanged.get(keyOf(input.tokenHash));
        if (replay !== undefined) return { kind: 'repeated', replay };
        exchanged.set(keyOf(input.tokenHash), input.replay);
        return { kind: rotation };
      },
    },
    authStatus: { ofSession: async () => status as Awaited<ReturnType<AuthStatusReader['ofSession']>> },
    signer: {
      signIdentity: async () => '',
      keyId: () => 'k',
      lifetimeSeconds: () => 60,
      sign: async (use, { sessionId }) => `${use} of ${sessionId}`,
    },
    onReuse: () => void reuses++,
  });
  const send = (refreshToken = 'first') => refresh(caller, { refreshToken });
  return { rotations, reuses: () => reuses, send };
}

describe('a refresh', () => {
  it('returns new tokens of the session, and stores the hash of the new refresh token only', async () => {
    const { rotations, send } = fixture();
    const { tokens, user } = await send();
    expect(user).toBe('ann@example.com');
    expect(tokens).toMatchObject({ id_token: 'id of s', access_token: 'access of s', expires_in: 60 });
    const [input] = rotations;
    expect(input).toMatchObject({ tenantId: 't', graceMs: REFRESH_GRACE_MS, keyId: 'k' });
    expect(input?.tokenHash).toEqual(hashOpaqueToken('first'));
    expect(input?.successorHash).toEqual(hashOpaqueToken(tokens.refresh_token ?? ''));
    expect(Buffer.from(input?.replay ?? []).toString('latin1')).not.toContain('id of s');
  });

  it('returns the same tokens to a repeated request', async () => {
    const { send, reuses } = fixture();
    const first = await send();
    expect(await send()).toEqual(first);
    expect(reuses()).toBe(0);
  });

  it('passes a record for each outcome, so that the store writes one with the exchange', async () => {
    const { rotations, send } = fixture();
    await send();
    const { rotated, repeated, reused } = rotations[0]?.audits ?? {};
    expect([rotated?.action, repeated?.action, reused?.action]).toEqual([
      'REFRESH_TOKEN',
      'REFRESH_TOKEN',
      'REFRESH_TOKEN_REUSED',
    ]);
    expect(repeated?.metadata).toEqual({ repeated: true });
  });
});

describe('a refresh is rejected with invalid_grant', () => {
  it('for a token that was used before, which is reported', async () => {
    const { send, reuses } = fixture({ rotation: 'reused' });
    await expect(send()).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(reuses()).toBe(1);
  });

  it('for a session that ended during the exchange', async () => {
    const { send, reuses } = fixture({ rotation: 'refused' });
    await expect(send()).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(reuses()).toBe(0);
  });

  it.each([
    ['an unknown token', {}, 'other'],
    ['a session that is over', { status: { account, sessionLive: false } }, 'first'],
    ['a disabled account', { status: { account: { ...account, disabled: true }, sessionLive: true } }, 'first'],
    ['an account that was removed', { status: { account: undefined, sessionLive: true } }, 'first'],
    ['a tenant that was removed', { status: undefined }, 'first'],
  ])('for %s, and no token is exchanged', async (_name, given, token) => {
    const { rotations, send } = fixture(given);
    await expect(send(token)).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(rotations).toEqual([]);
  });
});
