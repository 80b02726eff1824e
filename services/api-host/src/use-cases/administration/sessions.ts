import { invalidPageToken, type PageTokens } from '@sluice/auth';
import {
  type AdminSessions,
  auditOf,
  type Caller,
  PAGE_DEFAULT,
  ProblemError,
  type SessionsQuery,
} from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import type { SessionListStore, SessionPosition } from '@sluice/store/identity';
import { z } from 'zod';

interface SessionsDependencies {
  readonly sessionLists: SessionListStore;
  readonly audit: Pick<AuditStore, 'append'>;
  readonly pageTokens: PageTokens;
}

/** Lists the open sessions of the caller's tenant. Throws `invalid_page_token`; fails if the read cannot be recorded. */
export type ListSessions = (caller: Caller, query: SessionsQuery) => Promise<AdminSessions>;
/** Ends a session of the caller's tenant. Throws `not_found`, and `conflict` for a session that has ended. */
export type EndSession = (caller: Caller, sid: string) => Promise<void>;

const position = z.strictObject({ createdMicros: z.string().regex(/^\d{1,18}$/), sid: z.uuid() });

const ownerOf = ({ principal }: Caller): string[] => ['sessions', principal.tenant.id, principal.id];

export function createListSessions({ sessionLists, audit, pageTokens }: SessionsDependencies): ListSessions {
  const positionOf = async (caller: Caller, token: string | undefined): Promise<SessionPosition | undefined> => {
    if (token === undefined) return undefined;
    const { data } = position.safeParse(await pageTokens.open(token, ownerOf(caller)));
    if (data === undefined) throw invalidPageToken();
    return data;
  };

  return async (caller, { page_token: token, size = PAGE_DEFAULT }) => {
    const { tenant, sessionId } = caller.principal;
    const after = await positionOf(caller, token);
    const { entries, next } = await sessionLists.list(tenant.id, { after, size });
    await audit.append(auditOf(caller, { action: 'READ_SESSIONS', target: tenant.name, metadata: { size } }));
    const data = entries.map((entry) => ({ ...entry, current: entry.id === sessionId }));
    return next === undefined ? { data } : { data, next_page_token: await pageTokens.issue(next, ownerOf(caller)) };
  };
}

export const createEndSession =
  ({ sessionLists }: Pick<SessionsDependencies, 'sessionLists'>): EndSession =>
  async (caller, sid) => {
    const outcome = await sessionLists.end({ tenantId: caller.principal.tenant.id, sid }, (user) =>
      auditOf(caller, { action: 'END_SESSION', target: user, metadata: { session_id: sid.toLowerCase() } }),
    );
    if (outcome === 'missing') throw new ProblemError('not_found', 'The tenant has no session with this id.');
    if (outcome === 'ended') throw new ProblemError('conflict', 'The session has already ended.');
  };
