import { apiOperations, callerOf, describeUserAgent, PAGE_DEFAULT, type Principal } from '@sluice/contract';
import { json, noContent, type Route, route } from '@sluice/http';
import type { TenantTransaction } from '@sluice/store/resources';
import { endSession, type SessionsContext, sessionPositionOf } from '../administration/sessions.ts';

const END_OWN = { reason: 'ended by its user', notFound: 'You have no session with this id.' };

const pageOwnerOf = ({ tenant, id }: Principal): string[] => ['own sessions', tenant.id, id];

/** Ends the sessions of an account except the one of the request, with a record for each. Returns their number. */
async function endOthers(tx: TenantTransaction, { kind, id, name, sessionId }: Principal): Promise<number> {
  const ended = await tx.sessions.endOthers({ kind, id }, sessionId, END_OWN.reason);
  for (const sid of ended) await tx.record('END_SESSION', name, { session_id: sid });
  if (ended.length === 0) tx.skipRecord();
  return ended.length;
}

/** Everything below /me/sessions: the sessions of the caller alone. Reads are not recorded, like GET /me. */
export const ownSessionRoutes = (context: SessionsContext): Route[] => [
  route(apiOperations.listOwnSessions, async (request) => {
    const { page_token: token, size = PAGE_DEFAULT } = request.query;
    const { principal } = request;
    const after = await sessionPositionOf(context, pageOwnerOf(principal), token);
    const { entries, next } = await context.database.read(callerOf(request), (tx) =>
      tx.sessions.list({ owner: principal, after, size }),
    );
    const data = entries.map(({ kind: _kind, account_id: _accountId, user: _user, ...entry }) => ({
      ...entry,
      device: describeUserAgent(entry.user_agent),
      current: entry.id === principal.sessionId,
    }));
    if (next === undefined) return json(200, { data });
    return json(200, { data, next_page_token: await context.pageTokens.issue(next, pageOwnerOf(principal)) });
  }),
  route(apiOperations.endOwnSession, async (request) => {
    const { principal, params } = request;
    const end = (tx: TenantTransaction) => endSession(tx, params.id, { owner: principal, ...END_OWN });
    await context.database.change(callerOf(request), end);
    return noContent();
  }),
  route(apiOperations.endOtherSessions, async (request) => {
    const { principal } = request;
    const count = await context.database.change(callerOf(request), (tx) => endOthers(tx, principal));
    return json(200, { ended_count: count });
  }),
];
