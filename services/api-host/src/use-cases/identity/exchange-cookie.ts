import { randomUUID } from 'node:crypto';
import {
  type AuthStatusReader,
  createOpaqueToken,
  hashOpaqueToken,
  type RequestOrigin,
  type TokenSigner,
} from '@sluice/auth';
import { ProblemError, type Tenant, type Tokens } from '@sluice/contract';
import type { RefreshTokenStore, SessionStore } from '@sluice/store/identity';
import { sessionRecord, signTokens } from './session-subject.ts';

export interface CookieExchange {
  readonly tenant: Tenant;
  readonly cookie: string | undefined;
  readonly origin: RequestOrigin;
}

export interface ExchangeCookieOptions {
  readonly sessions: Pick<SessionStore, 'findByCookie'>;
  readonly refreshTokens: Pick<RefreshTokenStore, 'begin'>;
  readonly authStatus: Pick<AuthStatusReader, 'ofSession'>;
  readonly signer: TokenSigner;
}

/**
 * Tokens for a page that holds the session cookie. Each page gets a family of refresh tokens of its own: two tabs that shared
 * one would end each other's session by refreshing. Throws `unauthorized`.
 */
export function createExchangeCookie(options: ExchangeCookieOptions): (exchange: CookieExchange) => Promise<Tokens> {
  const { sessions, refreshTokens, authStatus, signer } = options;
  const refuse = () => new ProblemError('unauthorized', 'There is no session. Sign in first.');

  return async ({ tenant, cookie, origin }) => {
    if (cookie === undefined) throw refuse();
    const held = await sessions.findByCookie(tenant.id, hashOpaqueToken(cookie));
    if (held === undefined) throw refuse();
    const { sid, accountId, expires } = held;
    const standing = await authStatus.ofSession({ tenantName: tenant.name, sessionId: sid, accountId, keyId: '' });
    const account = standing?.account;
    if (account === undefined || account.disabled || !standing?.sessionLive) throw refuse();
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
