import { type AuthStatusReader, hashOpaqueToken, readAccessTokenClaims, type TokenVerifier } from '@sluice/auth';
import { type Introspection, ProblemError, type Tenant } from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import type { RefreshTokenStore, SessionStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import type { AuthenticateClient, ClientCredential } from './authenticate-client.ts';

export interface IntrospectTokenInput {
  readonly credential: ClientCredential;
  /** Access or refresh token. */
  readonly token: string;
  readonly signal: AbortSignal;
}

/**
 * Describes a token of the tenant to a service account that may introspect (RFC 7662). Any token that is not valid now, or belongs to another tenant, is
 * only reported as not active. Throws `access_denied` for any other service account, and the errors of its authentication.
 */
type IntrospectToken = (caller: AnonymousCaller, input: IntrospectTokenInput) => Promise<Introspection>;

interface IntrospectTokenDependencies {
  readonly authenticateClient: AuthenticateClient;
  readonly tokens: TokenVerifier;
  readonly refreshTokens: Pick<RefreshTokenStore, 'find'>;
  readonly sessions: Pick<SessionStore, 'findOAuthClient'>;
  readonly authStatus: Pick<AuthStatusReader, 'ofSession'>;
  readonly audit: Pick<AuditStore, 'append'>;
  readonly issuerOf: (tenant: Pick<Tenant, 'name'>) => string;
}

/** Session of a token that is valid as such. */
interface TokenHolder {
  readonly sessionId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly oauthClient: string | null;
  /** Members that only this kind of token has. */
  readonly claims: Partial<Introspection>;
}

interface DescribedToken {
  readonly body: Introspection;
  readonly sessionId?: string;
  readonly user?: string | undefined;
}

const INACTIVE: DescribedToken = { body: { active: false } };

export function createIntrospectToken(dependencies: IntrospectTokenDependencies): IntrospectToken {
  const { authenticateClient, tokens, refreshTokens, sessions, authStatus, audit, issuerOf } = dependencies;

  const findByRefreshToken = async (tenant: Tenant, token: string): Promise<TokenHolder | undefined> => {
    const found = await refreshTokens.find(tenant.id, hashOpaqueToken(token));
    if (found?.state !== 'current') return undefined;
    const { sid: sessionId, accountId, oauthClient, expires } = found;
    const exp = Math.floor(expires.getTime() / 1000);
    const claims = { token_use: 'refresh', iss: issuerOf(tenant), exp } as const;
    return { sessionId, accountId, keyId: '', oauthClient, claims };
  };

  const findByAccessToken = async (tenant: Tenant, token: string): Promise<TokenHolder | undefined> => {
    try {
      const { tenantName, sessionId, accountId, keyId } = await tokens.verify(token, 'access');
      if (tenantName !== tenant.name) return undefined;
      const oauthClient = await sessions.findOAuthClient(tenant.id, sessionId);
      const claims = { token_use: 'access', token_type: 'Bearer', ...readAccessTokenClaims(token) } as const;
      return { sessionId, accountId, keyId, oauthClient, claims };
    } catch (thrown) {
      if (thrown instanceof ProblemError && thrown.code === 'unauthorized') return undefined;
      throw thrown;
    }
  };

  const describe = async (tenant: Tenant, token: string): Promise<DescribedToken> => {
    const holder = (await findByRefreshToken(tenant, token)) ?? (await findByAccessToken(tenant, token));
    if (holder === undefined) return INACTIVE;
    const { sessionId, accountId, keyId, oauthClient, claims } = holder;
    const status = await authStatus.ofSession({ tenantName: tenant.name, sessionId, accountId, keyId });
    const account = status?.account;
    if (account === undefined || account.disabled || status?.sessionLive !== true) return INACTIVE;
    if (status.keyRevoked || status.tenant.state !== 'active') return INACTIVE;
    const clientId = account.kind === 'client' ? account.name : oauthClient;
    const body: Introspection = {
      active: true,
      ...claims,
      ...(account.permissions.length === 0 ? {} : { scope: account.permissions.join(' ') }),
      ...(clientId === null ? {} : { client_id: clientId }),
      username: account.name,
      sub: account.id,
    };
    return { body, sessionId, user: account.name };
  };

  return async (caller, { token, ...input }) => {
    const { tenant, origin } = caller;
    const { account } = await authenticateClient(caller, input);
    const record = { tenantId: tenant.id, user: account.name, ...origin };
    if (account.mayIntrospect !== true) {
      const metadata = { reason: 'may_introspect' };
      await audit.append({ ...record, action: 'ACCESS_DENIED', target: 'introspectToken', metadata });
      throw new ProblemError(
        'access_denied',
        `${account.name} may not introspect tokens. An admin can allow it in the service account.`,
      );
    }
    const { body, sessionId, user } = await describe(tenant, token);
    const metadata = { active: body.active, ...(sessionId === undefined ? {} : { session_id: sessionId }) };
    await audit.append({ ...record, action: 'INTROSPECT_TOKEN', target: user ?? 'unknown', metadata });
    return body;
  };
}
