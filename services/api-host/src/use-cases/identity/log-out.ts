import {
  type AuthStatusReader,
  hashOpaqueToken,
  type OidcClient,
  type SecretBox,
  type TokenVerifier,
} from '@sluice/auth';
import { ProblemError, type Tenant } from '@sluice/contract';
import type { SessionStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import { createEndSession, type EndedSession } from './end-session.ts';
import type { FindTenantProvider } from './find-tenant-provider.ts';
import { identityContext } from './open-session.ts';

export interface LogOutInput {
  readonly cookie: string | undefined;
  readonly idToken: string | undefined;
  /** Access token, such as of a service account, which gets no ID token. */
  readonly accessToken?: string | undefined;
  /** Our login page, to which the identity provider redirects the browser afterwards. */
  readonly loginUrl: string;
}

export interface LoggedOut {
  /** Users whose sessions were ended. */
  readonly users: readonly string[];
  /** Address at which the browser also ends the session of the identity provider. */
  readonly endSessionUrl: string | undefined;
}

/**
 * Ends the sessions of the cookie and of the tokens, on both hosts. A credential that is missing, expired or of another tenant is
 * ignored: logging out twice is not an error.
 */
type LogOut = (caller: AnonymousCaller, input: LogOutInput) => Promise<LoggedOut>;

interface LogOutDependencies {
  readonly sessions: Pick<SessionStore, 'findByCookie' | 'revoke' | 'findIdentity'>;
  readonly authStatus: Pick<AuthStatusReader, 'ofSession'>;
  readonly tokens: TokenVerifier;
  readonly oidc: Pick<OidcClient, 'endSessionUrl'>;
  readonly box: Pick<SecretBox, 'open'>;
  readonly findProvider: FindTenantProvider;
}

export function createLogOut(dependencies: LogOutDependencies): LogOut {
  const { sessions, tokens, oidc, box, findProvider } = dependencies;
  const end = createEndSession(dependencies);

  const findByCookie = async (tenant: Tenant, cookie: string | undefined): Promise<EndedSession | undefined> => {
    if (cookie === undefined) return undefined;
    const found = await sessions.findByCookie(tenant.id, hashOpaqueToken(cookie));
    return found && { sessionId: found.sid, accountId: found.accountId };
  };

  const findByToken = async (
    tenant: Tenant,
    text: string | undefined,
    use: 'id' | 'access',
  ): Promise<EndedSession | undefined> => {
    if (text === undefined || text === '') return undefined;
    try {
      const token = await tokens.verify(text, use);
      return token.tenantName === tenant.name ? token : undefined;
    } catch (thrown) {
      if (thrown instanceof ProblemError && thrown.code === 'unauthorized') return undefined;
      throw thrown;
    }
  };

  const endSessionUrlOf = async (tenant: Tenant, sessionId: string, loginUrl: string): Promise<string | undefined> => {
    const identity = await sessions.findIdentity(tenant.id, sessionId);
    if (identity === undefined) return undefined;
    const provider = await findProvider({ tenant });
    if (provider?.client.issuer !== identity.issuer) return undefined;
    const idToken = box.open(identity.sealed, identityContext(sessionId));
    try {
      return (await oidc.endSessionUrl(provider.client, { idToken, redirectUri: loginUrl }))?.href;
    } catch (thrown) {
      // Our own session is ended. An unavailable provider must not keep the user from the login page.
      if (thrown instanceof ProblemError) return undefined;
      throw thrown;
    }
  };

  return async (caller, { cookie, idToken, accessToken, loginUrl }) => {
    const { tenant } = caller;
    const users: string[] = [];
    let endSessionUrl: string | undefined;
    const found = [
      await findByCookie(tenant, cookie),
      await findByToken(tenant, idToken, 'id'),
      await findByToken(tenant, accessToken, 'access'),
    ];
    for (const session of found) {
      const user = session && (await end(caller, session));
      if (session === undefined || user === undefined) continue;
      endSessionUrl ??= await endSessionUrlOf(tenant, session.sessionId, loginUrl);
      users.push(user);
    }
    return { users, endSessionUrl };
  };
}
