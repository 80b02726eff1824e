import {
  type AccessRequest,
  type AuditAction,
  type Caller,
  callerOf,
  ITEM_GRANTS_MAX,
  ProblemError,
  streamOperations,
} from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import { lockManaged, noSuchItem, requireFutureExpiry } from '@sluice/marketplace';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import { changeItems, findItem } from './items.ts';

const SIZE_DEFAULT = 10;

const recordRequest = (tx: TenantTransaction, action: AuditAction, made: AccessRequest): Promise<void> => {
  const { item_id, request_id, user, reason, expires_ts, note } = made;
  return tx.record(action, item_id, { request_id, user, reason, expires_ts, note });
};

/**
 * Requests a grant of an item, and adds the mails to those who decide. Throws `not_found`, and `conflict` while an earlier request of the
 * caller is undecided.
 */
async function requestAccess(
  tx: TenantTransaction,
  { principal: { kind, id, name } }: Caller,
  { itemId, reason }: { readonly itemId: string; readonly reason: string },
): Promise<AccessRequest> {
  const item = await tx.items.lock(itemId);
  if (item === undefined) throw noSuchItem();
  const made = await tx.accessRequests.insert(item.id, { kind, id, name }, reason);
  if (made === undefined) {
    throw new ProblemError('conflict', 'Your earlier request for this item is not decided yet.');
  }
  await tx.mails.addForRequest({ itemId: item.id, requestId: made.request_id, requesterId: id });
  await recordRequest(tx, 'REQUEST_ACCESS', made);
  return made;
}

interface AccessDecisionInput {
  readonly itemId: string;
  readonly requestId: string;
  readonly state: 'APPROVED' | 'REFUSED';
  readonly expiresTs?: number | null | undefined;
  readonly note?: string | null | undefined;
}

/**
 * Approves or refuses a request, and adds the mail to the requester; an approval creates the grant. Throws `access_denied` for a caller who
 * may not decide, `not_found`, `invalid_request` for an expiry in the past, and `conflict` when the request is decided already or the item
 * has its maximum of grants.
 */
async function decideAccess(
  tx: TenantTransaction,
  caller: Caller,
  { itemId, requestId, state, expiresTs = null, note = null }: AccessDecisionInput,
): Promise<AccessRequest> {
  await lockManaged(tx, caller, itemId);
  requireFutureExpiry(expiresTs);
  const found = await tx.accessRequests.lock(itemId, requestId);
  if (found === undefined) throw new ProblemError('not_found', 'This item has no request with this id.');
  if (found.state !== 'PENDING') throw new ProblemError('conflict', 'This request is decided already.');
  if (state === 'APPROVED') {
    const grant = { kind: found.kind, name: found.name, expires_ts: expiresTs };
    const others = (await tx.grants.ofItem(itemId)).filter(
      ({ kind, name }) => kind !== grant.kind || name !== grant.name,
    );
    if (others.length >= ITEM_GRANTS_MAX) {
      throw new ProblemError('conflict', `An item has at most ${ITEM_GRANTS_MAX} grants. Grant it to a role.`);
    }
    await tx.grants.add(itemId, [grant], tx.by);
  }
  const decided = await tx.accessRequests.decide(itemId, requestId, { state, expiresTs, note, by: tx.by });
  await tx.mails.addForDecision(requestId);
  await recordRequest(tx, state === 'APPROVED' ? 'APPROVE_ACCESS' : 'REFUSE_ACCESS', decided);
  return decided;
}

/** Requests for grants and the decisions on them: /marketplace/{id}/access-requests and /access-requests */
export function accessRequestRoutes({ database }: { readonly database: ResourceDatabase }): Route[] {
  const decide = (caller: Caller, input: AccessDecisionInput): Promise<AccessRequest> =>
    changeItems(database, caller, (tx) => decideAccess(tx, caller, input));

  return [
    route(streamOperations.requestMarketplaceAccess, async (request) => {
      const caller = callerOf(request);
      const input = { itemId: request.params.id, reason: request.body.reason };
      return json(201, await database.change(caller, (tx) => requestAccess(tx, caller, input)));
    }),
    // A caller who may decide sees all requests of an item, any other caller only those of the same account.
    route(streamOperations.listMarketplaceAccess, async (request) => {
      const caller = callerOf(request);
      const { id, permissions } = caller.principal;
      const requests = await database.read(caller, async (tx) => {
        const item = await findItem(tx, caller, request.params.id);
        const isManager = item.owner.id === id || permissions.has('admin');
        await tx.record('READ_MARKETPLACE', item.id, { requests: isManager ? 'all' : 'own' });
        return tx.accessRequests.ofItem(item.id, isManager ? undefined : id);
      });
      return json(200, { data: requests });
    }),
    // The caller's requests for all items, or with the scope `inbox` those that the caller may decide.
    route(streamOperations.listAccessRequests, async (request) => {
      const { scope = 'own', state, from = 0, size = SIZE_DEFAULT } = request.query;
      const { id, permissions } = request.principal;
      const { total, requests } = await database.read(callerOf(request), async (tx) => {
        await tx.record('READ_MARKETPLACE', 'access-requests', { scope, state, from, size });
        return tx.accessRequests.list({
          requesterId: scope === 'own' ? id : undefined,
          ownerId: scope === 'own' || permissions.has('admin') ? undefined : id,
          state,
          from,
          size,
        });
      });
      return json(200, { total, data: requests });
    }),
    // The console reads it every few seconds. Like GET /me, it names nothing and is not recorded.
    route(streamOperations.countAccessRequests, async (request) => {
      const { id, permissions } = request.principal;
      const accounts = { requesterId: id, ownerId: permissions.has('admin') ? undefined : id };
      return json(200, await database.read(callerOf(request), (tx) => tx.accessRequests.count(accounts)));
    }),
    route(streamOperations.approveMarketplaceAccess, async (request) => {
      const { id: itemId, request_id: requestId } = request.params;
      const input = { itemId, requestId, state: 'APPROVED', expiresTs: request.body.expires_ts } as const;
      return json(200, await decide(callerOf(request), input));
    }),
    route(streamOperations.refuseMarketplaceAccess, async (request) => {
      const { id: itemId, request_id: requestId } = request.params;
      const input = { itemId, requestId, state: 'REFUSED', note: request.body.note } as const;
      return json(200, await decide(callerOf(request), input));
    }),
  ];
}
