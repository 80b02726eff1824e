import { describe, expect, it } from '@jest/globals';
import { hashOpaqueToken } from '@sluice/auth';
import { buildCaller } from '@sluice/testkit';
import { createExchangeCookie } from './exchange-cookie.ts';

const { tenant } = buildCaller('ann').principal;
const caller = { tenant, origin: { requestId: 'r', address: '192.0.2.1' } };
const ACCOUNT = { kind: 'user', id: 'u', name: 'ann@example.com', roles: [], permissions: [], disabled: false };
const HELD = { sid: 's', accountId: 'u', expires: new Date(Date.now() + 3_600_000) };

interface Given {
  readonly account?: object | undefined;
  readonly sessionLive?: boolean;
}

function fixture(given: Given = {}) {
  const account = 'account' in given ? given.account : ACCOUNT;
  const families: { readonly family: string; readonly tokenHash: Uint8Array; readonly audit: unknown }[] = [];
  const exchange = createExchangeCookie({
    sessions: {
      findByCookie: async (_tenantId, hash) =>
        Buffer.from(hash).equals(hashOpaqueToken('cookie')) ? (HELD as never) : undefined,
    },
    refreshTokens: {
      begin: async (token) => {
        families.push(token as never);
        return true as never;
      },
    },
    now: Date.now,
    authStatus: { ofSession: async () => ({ tenant, account, sessionLive: given.sessionLive ?? true }) as never },
    signer: {
      keyId: () => 'k',
      lifetimeSeconds: () => 60,
      sign: async (kind: string) => `${kind} token`,
    } as never,
  });
  return { families, exchange: (cookie: string | undefined) => exchange(caller, { cookie }) };
}

describe('a session cookie', () => {
  it('is exchanged for tokens with a family of refresh tokens of their own each time', async () => {
    const { families, exchange } = fixture();
    const [one, other] = [await exchange('cookie'), await exchange('cookie')];
    expect(one?.refresh_token).not.toBe(other?.refresh_token);
    expect(families[0]?.family).not.toBe(families[1]?.family);
    expect(Buffer.from(families[0]?.tokenHash ?? []).equals(hashOpaqueToken(one?.refresh_token ?? ''))).toBe(true);
    expect(families[0]?.audit).toMatchObject({
      action: 'ISSUE_TOKEN',
      metadata: { grant: 'session_cookie' },
    });
  });

  it.each([
    ['no cookie', {}, undefined],
    ['an unknown cookie', {}, 'other'],
    ['a disabled account', { account: { ...ACCOUNT, disabled: true } }, 'cookie'],
    ['an account that was removed', { account: undefined }, 'cookie'],
    ['a session that has ended', { sessionLive: false }, 'cookie'],
  ])('gives no tokens for %s, and none is stored', async (_, given, cookie) => {
    const { families, exchange } = fixture(given);
    expect(await exchange(cookie)).toBeUndefined();
    expect(families).toEqual([]);
  });
});
