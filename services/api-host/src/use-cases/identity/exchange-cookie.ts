import { randomUUID } from 'node:crypto';
import { type AuthStatusReader, type Clock, createOpaqueToken, hashOpaqueToken, type TokenSigner } from '@sluice/auth';
import type { Tokens } from '@sluice/contract';
import type { RefreshTokenStore, SessionStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import { createFindBrowserSession } from './find-browser-session.ts';
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
  readonly now: Clock;
}

export function createExchangeCookie(dependencies: ExchangeCookieDependencies): ExchangeCookie {
  const { refreshTokens, signer } = dependencies;
  const findBrowserSession = createFindBrowserSession(dependencies);

  return async ({ tenant, origin }, { cookie }) => {
    const session = await findBrowserSession({ tenant }, cookie);
    if (session === undefined) return undefined;
    const { sid, account, expires } = session;
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
