import { type AuthStatusReader, type Clock, hashOpaqueToken } from '@sluice/auth';
import type { AccountStatus } from '@sluice/contract';
import type { SessionStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';

/** Open session of a browser, with the account as it is now. */
export interface BrowserSession {
  readonly sid: string;
  readonly account: AccountStatus;
  readonly expires: Date;
  /** Time of the login, on the clock of this host. */
  readonly authenticatedAtMs: number;
}

/** Returns the session of a cookie; undefined if it is over, or its account can no longer log in. */
export type FindBrowserSession = (
  caller: Pick<AnonymousCaller, 'tenant'>,
  cookie: string | undefined,
) => Promise<BrowserSession | undefined>;

interface FindBrowserSessionDependencies {
  readonly sessions: Pick<SessionStore, 'findByCookie'>;
  readonly authStatus: Pick<AuthStatusReader, 'ofSession'>;
  readonly now: Clock;
}

export const createFindBrowserSession =
  ({ sessions, authStatus, now }: FindBrowserSessionDependencies): FindBrowserSession =>
  async ({ tenant }, cookie) => {
    if (cookie === undefined) return undefined;
    const held = await sessions.findByCookie(tenant.id, hashOpaqueToken(cookie));
    if (held === undefined) return undefined;
    const { sid, accountId, expires, ageMs } = held;
    const status = await authStatus.ofSession({ tenantName: tenant.name, sessionId: sid, accountId, keyId: '' });
    const account = status?.account;
    if (account === undefined || account.disabled || !status?.sessionLive) return undefined;
    return { sid, account, expires, authenticatedAtMs: now() - ageMs };
  };
