import {
  type AuthStatusReader,
  hashOpaqueToken,
  type OidcClient,
  type RequestOrigin,
  type SecretBox,
  type TokenVerifier,
} from '@sluice/auth';
import { ProblemError, type Tenant } from '@sluice/contract';
import type { SessionStore } from '@sluice/store/identity';
import { identityContext } from './open-session.ts';
import { sessionRecord } from './session-subject.ts';
import type { FindTenantProvider } from './tenant-provider.ts';

export interface Logout {
  readonly tenant: Tenant;
  readonly cookie: string | undefined;
  readonly idToken: string | undefined;
  /** Of our login screen, where the identity provider sends the browser afterwards. */
  readonly loginUrl: string;
  readonly origin: RequestOrigin;
}

export interface LogOutOptions {
  readonly sessions: Pick<SessionStore, 'findByCookie' | 'revoke' | 'findIdentity'>;
  readonly authStatus: Pick<AuthStatusReader, 'ofSession'>;
  readonly tokens: TokenVerifier;
  readonly oidc: Pick<OidcClient, 'endSessionUrl'>;
  readonly box: Pick<SecretBox, 'open'>;
  readonly findProvider: FindTenantProvider;
}

export interface LoggedOut {
  readonly users: readonly string[];
  /** Where the browser ends the session of the tenant's identity provider too. */
  readonly endSessionUrl: string | undefined;
}

interface EndedSession {
  readonly sessionId: string;
  readonly accountId: string;
}

/**
 * Ends the sessions that the cookie and the ID token name, on both hosts, and answers whose they were, and where the identity provider
 * that opened one of them ends its own. A credential that is
 * absent, expired or of another tenant names none, which is no error: logging out twice is logging out.
 */
export function createLogOut(options: LogOutOptions): (logout: Logout) => Promise<LoggedOut> {
  const { sessions, authStatus, tokens, oidc, box, findProvider } = options;

  const ofCookie = async ({ tenant, cookie }: Logout): Promise<EndedSession | undefined> => {
    if (cookie === undefined) return undefined;
    const held = await sessions.findByCookie(tenant.id, hashOpaqueToken(cookie));
    return held && { sessionId: held.sid, accountId: held.accountId };
  };

  const ofToken = async ({ tenant, idToken }: Logout): Promise<EndedSession | undefined> => {
    if (idToken === undefined || idToken === '') return undefined;
    try {
      const token = await tokens.verify(idToken, 'id');
      return token.tenantName === tenant.name ? token : undefined;
    } catch (thrown) {
      if (thrown instanceof ProblemError && thrown.code === 'unauthorized') return undefined;
      throw thrown;
    }
  };

  const end = async ({ tenant, origin }: Logout, { sessionId, accountId }: EndedSession): Promise<string[]> => {
    const standing = await authStatus.ofSession({ tenantName: tenant.name, sessionId, accountId, keyId: '' });
    if (standing?.account === undefined) return [];
    const audit = sessionRecord('LOGOUT', { tenant, account: standing.account, sessionId }, { origin });
    const ended = await sessions.revoke({ tenantId: tenant.id, sid: sessionId, reason: 'logout', audit });
    return ended ? [standing.account.name] : [];
  };

  const endSessionUrlOf = async (logout: Logout, sessionId: string): Promise<string | undefined> => {
    const { tenant, loginUrl } = logout;
    const identity = await sessions.findIdentity(tenant.id, sessionId);
    if (identity === undefined) return undefined;
    const provider = await findProvider(tenant.id);
    if (provider?.client.issuer !== identity.issuer) return undefined;
    const idToken = box.open(identity.sealed, identityContext(sessionId));
    try {
      return (await oidc.endSessionUrl(provider.client, { idToken, redirectUri: loginUrl }))?.href;
    } catch (thrown) {
      // Our own session is over; a provider that is away keeps nobody from the login screen.
      if (thrown instanceof ProblemError) return undefined;
      throw thrown;
    }
  };

  return async (logout) => {
    const found = [await ofCookie(logout), await ofToken(logout)];
    const users: string[] = [];
    let endSessionUrl: string | undefined;
    for (const session of found) {
      const ended = session === undefined ? [] : await end(logout, session);
      if (session !== undefined && ended.length > 0) endSessionUrl ??= await endSessionUrlOf(logout, session.sessionId);
      users.push(...ended);
    }
    return { users, endSessionUrl };
  };
}
