import { invalidPageToken, type PageTokens } from '@sluice/auth';
import { apiOperations, type Caller, callerOf, PAGE_DEFAULT, ProblemError } from '@sluice/contract';
import { json, noContent, type Route, route } from '@sluice/http';
import type { SessionPosition } from '@sluice/store/identity';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import { z } from 'zod';

const position = z.strictObject({ createdMicros: z.string().regex(/^\d{1,18}$/), sid: z.uuid() });

const ownerOf = ({ principal }: Caller): string[] => ['sessions', principal.tenant.id, principal.id];

interface SessionsContext {
  readonly database: ResourceDatabase;
  readonly pageTokens: PageTokens;
}

/** Returns the position of a page. Throws `invalid_page_token`. */
async function positionOf(
  { pageTokens }: SessionsContext,
  caller: Caller,
  token: string | undefined,
): Promise<SessionPosition | undefined> {
  if (token === undefined) return undefined;
  const { data } = position.safeParse(await pageTokens.open(token, ownerOf(caller)));
  if (data === undefined) throw invalidPageToken();
  return data;
}

/** Ends a session. Throws `not_found`, and `conflict` for a session that has ended. */
async function endSession(tx: TenantTransaction, sid: string): Promise<void> {
  const found = await tx.sessions.lock(sid);
  if (found === undefined) throw new ProblemError('not_found', 'The tenant has no session with this id.');
  if (!found.isOpen) throw new ProblemError('conflict', 'The session has already ended.');
  await tx.sessions.end(sid);
  await tx.record('END_SESSION', found.user, { session_id: sid.toLowerCase() });
}

/** Everything below /admin/sessions */
export const sessionRoutes = (context: SessionsContext): Route[] => [
  route(apiOperations.listSessions, async (request) => {
    const { page_token: token, size = PAGE_DEFAULT } = request.query;
    const { tenant, sessionId } = request.principal;
    const caller = callerOf(request);
    const after = await positionOf(context, caller, token);
    const { entries, next } = await context.database.read(caller, async (tx) => {
      const page = await tx.sessions.list({ after, size });
      await tx.record('READ_SESSIONS', tenant.name, { size });
      return page;
    });
    const data = entries.map((entry) => ({ ...entry, current: entry.id === sessionId }));
    if (next === undefined) return json(200, { data });
    return json(200, { data, next_page_token: await context.pageTokens.issue(next, ownerOf(caller)) });
  }),
  route(apiOperations.endSession, async (request) => {
    await context.database.change(callerOf(request), (tx) => endSession(tx, request.params.id));
    return noContent();
  }),
];
