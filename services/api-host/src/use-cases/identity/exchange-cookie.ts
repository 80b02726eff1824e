import { randomUUID } from 'node:crypto';
import { type AuthStatusReader, createOpaqueToken, hashOpaqueToken, type TokenSigner } from '@sluice/auth';
import type { Tokens } from '@sluice/contract';
import type { RefreshTokenStore, SessionStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import { sessionRecord, signTokens } from './session-subject.ts';

export interface ExchangeCookieInput {
  readonly cookie: string | undefined;
}

/**
 * Returns tokens to a page that holds the session cookie. Each page gets its own family of refresh tokens: two tabs that shared one
 * would end each other's session by refreshing. Returns undefined without a live session.
 */
type ExchangeCookie = (caller: AnonymousCaller, input: ExchangeCookieInput) => Promise<Tokens | undefined>;

interface ExchangeCookieDependencies {
  readonly sessions: Pick<SessionStore, 'findByCookie'>;
  readonly refreshTokens: Pick<RefreshTokenStore, 'begin'>;
  readonly authStatus: Pick<AuthStatusReader, 'ofSession'>;
  readonly signer: TokenSigner;
}

export function createExchangeCookie(dependencies: ExchangeCookieDependencies): ExchangeCookie {
  const { sessions, refreshTokens, authStatus, signer } = dependencies;

  return async ({ tenant, origin }, { cookie }) => {
    if (cookie === undefined) return undefined;
    const held = await sessions.findByCookie(tenant.id, hashOpaqueToken(cookie));
    if (held === undefined) return undefined;
    const { sid, accountId, expires } = held;
    const status = await authStatus.ofSession({ tenantName: tenant.name, sessionId: sid, accountId, keyId: '' });
    const account = status?.account;
    if (account === undefined || account.disabled || !status?.sessionLive) return undefined;
    const subject = { tenant, account, sessionId: sid, expires };
    const refreshToken = createOpaqueToken();
    const tokens = await signTokens(signer, subject, refreshToken);
    await refreshTokens.begin({
      tenantId: tenant.id,
      sid,
      family: randomUUID(),
      tokenHash: hashOpaqueToken(refreshToken),
      audit: sessionRecord('ISSUE_TOKEN', subject, { origin, metadata: { grant: 'session_cookie' } }),
    });
    return tokens;
  };
}
