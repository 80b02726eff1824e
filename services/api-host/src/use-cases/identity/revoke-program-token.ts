import { hashOpaqueToken, type TokenVerifier } from '@sluice/auth';
import { ProblemError, type Tenant } from '@sluice/contract';
import type { RefreshTokenStore, SessionStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import type { EndSession } from './end-session.ts';

export interface RevokeTokenInput {
  /** Refresh or access token. */
  readonly token: string;
  readonly oauthClient: string;
}

/**
 * Ends the session of a token of a program, and returns its user. A token that is unknown, expired or of another tenant is ignored, as RFC
 * 7009 section 2.2 requires. Throws `invalid_grant` for a token of another client.
 */
type RevokeProgramToken = (caller: AnonymousCaller, input: RevokeTokenInput) => Promise<string | undefined>;

interface RevokeProgramTokenDependencies {
  readonly refreshTokens: Pick<RefreshTokenStore, 'find'>;
  readonly sessions: Pick<SessionStore, 'findOAuthClient'>;
  readonly tokens: TokenVerifier;
  readonly endSession: EndSession;
}

interface TokenHolder {
  readonly sessionId: string;
  readonly accountId: string;
  readonly oauthClient: string | null;
}

export function createRevokeProgramToken(dependencies: RevokeProgramTokenDependencies): RevokeProgramToken {
  const { refreshTokens, sessions, tokens, endSession } = dependencies;

  const findByRefreshToken = async (tenant: Tenant, token: string): Promise<TokenHolder | undefined> => {
    const found = await refreshTokens.find(tenant.id, hashOpaqueToken(token));
    return found && { sessionId: found.sid, accountId: found.accountId, oauthClient: found.oauthClient };
  };

  const findByAccessToken = async (tenant: Tenant, token: string): Promise<TokenHolder | undefined> => {
    try {
      const { tenantName, sessionId, accountId } = await tokens.verify(token, 'access');
      if (tenantName !== tenant.name) return undefined;
      return { sessionId, accountId, oauthClient: await sessions.findOAuthClient(tenant.id, sessionId) };
    } catch (thrown) {
      if (thrown instanceof ProblemError && thrown.code === 'unauthorized') return undefined;
      throw thrown;
    }
  };

  return async (caller, { token, oauthClient }) => {
    const { tenant } = caller;
    const holder = (await findByRefreshToken(tenant, token)) ?? (await findByAccessToken(tenant, token));
    if (holder === undefined) return undefined;
    if (holder.oauthClient !== oauthClient)
      throw new ProblemError('invalid_grant', 'The token belongs to another client.');
    return await endSession(caller, holder);
  };
}
