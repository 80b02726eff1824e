import { apiOperations, callerOf, type Principal, ProblemError } from '@sluice/contract';
import { json, noContent, type Route, route } from '@sluice/http';
import type { StoredConsent } from '@sluice/store/identity';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';

const presentConsent = (consent: StoredConsent) => ({
  id: consent.id,
  client_id: consent.clientId,
  name: consent.name,
  home_page: consent.homePage,
  scopes: consent.scope === null ? null : [...consent.scope],
  session_count: consent.sessionCount,
  created_ts: consent.created.getTime(),
  updated_ts: consent.updated.getTime(),
});

/** Removes a consent of a user, and ends the sessions of the user with the program. Throws `not_found`. */
async function withdraw(tx: TenantTransaction, { id: userId }: Principal, id: string): Promise<void> {
  const removed = await tx.oauthConsents.remove(userId, id);
  if (removed === undefined) throw new ProblemError('not_found', 'You have no consent with this id.');
  const { clientId, scope } = removed;
  const ended = await tx.oauthConsents.endSessions(userId, clientId, 'consent withdrawn');
  await tx.record('WITHDRAW_CONSENT', clientId, {
    ...(scope === null ? {} : { scope }),
    ended_sessions: ended,
  });
}

/** Everything below /me/consents: the consents of the caller alone. Reads are not recorded, like GET /me. */
export const ownConsentRoutes = ({ database }: { readonly database: ResourceDatabase }): Route[] => [
  route(apiOperations.listOwnConsents, async (request) => {
    const { id } = request.principal;
    const consents = await database.read(callerOf(request), (tx) => tx.oauthConsents.list(id));
    return json(200, { data: consents.map(presentConsent) });
  }),
  route(apiOperations.withdrawConsent, async (request) => {
    const { principal, params } = request;
    await database.change(callerOf(request), (tx) => withdraw(tx, principal, params.id));
    return noContent();
  }),
];
