import { hashOpaqueToken, type RequestOrigin, type Standings, type TokenVerifier } from '@sluice/auth';
import { ProblemError, type Tenant } from '@sluice/contract';
import type { SessionStore } from '@sluice/store';
import { sessionRecord } from './session-subject.ts';

export interface Logout {
  readonly tenant: Tenant;
  readonly cookie: string | undefined;
  readonly idToken: string | undefined;
  readonly origin: RequestOrigin;
}

export interface LogOutOptions {
  readonly sessions: Pick<SessionStore, 'findByCookie' | 'revoke'>;
  readonly standings: Pick<Standings, 'ofSession'>;
  readonly tokens: TokenVerifier;
}

interface EndedSession {
  readonly sessionId: string;
  readonly accountId: string;
}

/**
 * Ends the sessions that the cookie and the ID token name, on both hosts, and answers whose they were. A credential that is
 * absent, expired or of another tenant names none, which is no error: logging out twice is logging out.
 */
export function createLogOut({ sessions, standings, tokens }: LogOutOptions): (logout: Logout) => Promise<string[]> {
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
    const standing = await standings.ofSession({ tenantName: tenant.name, sessionId, accountId, keyId: '' });
    if (standing?.account === undefined) return [];
    const audit = sessionRecord('LOGOUT', { tenant, account: standing.account, sessionId }, { origin });
    const ended = await sessions.revoke({ tenantId: tenant.id, sid: sessionId, reason: 'logout', audit });
    return ended ? [standing.account.name] : [];
  };

  return async (logout) => {
    const found = [await ofCookie(logout), await ofToken(logout)];
    const users: string[] = [];
    for (const session of found) if (session !== undefined) users.push(...(await end(logout, session)));
    return users;
  };
}
