import { invalidPageToken, type PageTokens } from '@sluice/auth';
import { apiOperations, type Caller, callerOf, PAGE_DEFAULT, type Principal, ProblemError } from '@sluice/contract';
import { json, noContent, type Route, route } from '@sluice/http';
import type { SessionPosition } from '@sluice/store/identity';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import { z } from 'zod';

const position = z.strictObject({ createdMicros: z.string().regex(/^\d{1,18}$/), sid: z.uuid() });

/** Owner of a page token: the list of one admin, with its filter. */
const ownerOf = ({ principal }: Caller, accountId: string | undefined): string[] => [
  'sessions',
  principal.tenant.id,
  principal.id,
  ...(accountId === undefined ? [] : [accountId]),
];

export interface SessionsContext {
  readonly database: ResourceDatabase;
  readonly pageTokens: PageTokens;
}

/**
 * Returns the position of a page of sessions. Throws `invalid_page_token`.
 * @param owner - list and account for which the token was issued
 */
export async function sessionPositionOf(
  { pageTokens }: Pick<SessionsContext, 'pageTokens'>,
  owner: readonly string[],
  token: string | undefined,
): Promise<SessionPosition | undefined> {
  if (token === undefined) return undefined;
  const { data } = position.safeParse(await pageTokens.open(token, owner));
  if (data === undefined) throw invalidPageToken();
  return data;
}

interface SessionEnd {
  /** Account that the session must belong to. Default: any of the tenant. */
  readonly owner?: Pick<Principal, 'kind' | 'id'>;
  readonly reason: string;
  /** Sentence for a session that is not found. */
  readonly notFound: string;
}

/** Ends a session. Throws `not_found`, and `conflict` for a session that has ended. */
export async function endSession(
  tx: TenantTransaction,
  sid: string,
  { owner, reason, notFound }: SessionEnd,
): Promise<void> {
  const found = await tx.sessions.lock(sid, owner);
  if (found === undefined) throw new ProblemError('not_found', notFound);
  if (!found.isOpen) throw new ProblemError('conflict', 'The session has already ended.');
  await tx.sessions.end(sid, reason);
  await tx.record('END_SESSION', found.user, { session_id: sid.toLowerCase() });
}

/** Finds an account. Throws `not_found`. */
async function accountOf(tx: TenantTransaction, id: string) {
  const found = await tx.sessions.findOwner(id);
  if (found === undefined)
    throw new ProblemError('not_found', 'The tenant has no user or service account with this id.');
  return found;
}

/** Ends all sessions of an account, or of the tenant if it is null, except that of the request. Throws `not_found`. */
async function endSessions(tx: TenantTransaction, { tenant, sessionId }: Principal, accountId: string | null) {
  const account = accountId === null ? undefined : await accountOf(tx, accountId);
  const count = await tx.sessions.endAll(account, sessionId, END_ANY.reason);
  await tx.record('END_SESSIONS', account?.name ?? tenant.name, {
    ...(account === undefined ? {} : { account_id: account.id }),
    ended_count: count,
  });
  return count;
}

const END_ANY = { reason: 'ended by an admin', notFound: 'The tenant has no session with this id.' };

/** Everything below /admin/sessions */
export const sessionRoutes = (context: SessionsContext): Route[] => [
  route(apiOperations.listSessions, async (request) => {
    const { page_token: token, size = PAGE_DEFAULT, account_id: accountId } = request.query;
    const { tenant, sessionId } = request.principal;
    const caller = callerOf(request);
    const after = await sessionPositionOf(context, ownerOf(caller, accountId), token);
    const { entries, next } = await context.database.read(caller, async (tx) => {
      const owner = accountId === undefined ? undefined : await accountOf(tx, accountId);
      const page = await tx.sessions.list({ ...(owner === undefined ? {} : { owner }), after, size });
      await tx.record('READ_SESSIONS', owner?.name ?? tenant.name, {
        size,
        ...(owner === undefined ? {} : { account_id: owner.id }),
      });
      return page;
    });
    // Where a session was opened and when it was used last is for its own user. A program that acts for a user is of interest to admins.
    const data = entries.map(
      ({ opened_by: _openedBy, address: _address, user_agent: _userAgent, last_used_ts: _lastUsed, ...entry }) => ({
        ...entry,
        current: entry.id === sessionId,
      }),
    );
    if (next === undefined) return json(200, { data });
    return json(200, { data, next_page_token: await context.pageTokens.issue(next, ownerOf(caller, accountId)) });
  }),
  route(apiOperations.endSession, async (request) => {
    await context.database.change(callerOf(request), (tx) => endSession(tx, request.params.id, END_ANY));
    return noContent();
  }),
  route(apiOperations.endSessions, async (request) => {
    const { principal, body } = request;
    const count = await context.database.change(callerOf(request), (tx) => endSessions(tx, principal, body.account_id));
    return json(200, { ended_count: count });
  }),
];
