import type { AuthStatusReader } from '@sluice/auth';
import type { SessionStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import { sessionRecord } from './session-subject.ts';

export interface EndedSession {
  readonly sessionId: string;
  readonly accountId: string;
}

/** Ends a session and returns its user; undefined if another request has ended the session before. */
export type EndSession = (caller: AnonymousCaller, session: EndedSession) => Promise<string | undefined>;

interface EndSessionDependencies {
  readonly sessions: Pick<SessionStore, 'revoke'>;
  readonly authStatus: Pick<AuthStatusReader, 'ofSession'>;
}

export const createEndSession =
  ({ sessions, authStatus }: EndSessionDependencies): EndSession =>
  async ({ tenant, origin }, { sessionId, accountId }) => {
    const status = await authStatus.ofSession({ tenantName: tenant.name, sessionId, accountId, keyId: '' });
    if (status?.account === undefined) return undefined;
    const audit = sessionRecord('LOGOUT', { tenant, account: status.account, sessionId }, { origin });
    const isEnded = await sessions.revoke({ tenantId: tenant.id, sid: sessionId, reason: 'logout', audit });
    return isEnded ? status.account.name : undefined;
  };
