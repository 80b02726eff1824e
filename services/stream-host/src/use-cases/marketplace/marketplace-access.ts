import {
  type AccessRequest,
  type AuditAction,
  auditOf,
  type Caller,
  ITEM_GRANTS_MAX,
  ProblemError,
} from '@sluice/contract';
import { granteeOf, noSuchItem, requireFutureExpiry, requireManager } from '@sluice/marketplace';
import type { AuditStore } from '@sluice/store/audit';
import type {
  MarketplaceAccessStore,
  MarketplaceChanges,
  MarketplaceStore,
  StoredItem,
} from '@sluice/store/marketplace';

interface MarketplaceAccessDependencies {
  readonly marketplace: Pick<MarketplaceStore, 'find'>;
  readonly marketplaceAccess: Pick<MarketplaceAccessStore, 'request' | 'requests'>;
  readonly audit: Pick<AuditStore, 'append'>;
}

async function itemOf(
  { marketplace }: MarketplaceAccessDependencies,
  { principal }: Caller,
  id: string,
): Promise<StoredItem> {
  const item = await marketplace.find(principal.tenant.id, granteeOf(principal), id);
  if (item === undefined) throw noSuchItem();
  return item;
}

interface AccessRequestInput {
  readonly id: string;
  readonly reason: string;
}

/** Requests a grant of an item. Throws `conflict` while an earlier request of the caller is undecided. */
export type RequestAccess = (caller: Caller, input: AccessRequestInput) => Promise<AccessRequest>;

export function createRequestAccess(dependencies: MarketplaceAccessDependencies): RequestAccess {
  return async (caller, { id, reason }) => {
    const { principal } = caller;
    const item = await itemOf(dependencies, caller, id);
    const account = { kind: principal.kind, id: principal.id, name: principal.name };
    const made = await dependencies.marketplaceAccess.request(
      { tenantId: principal.tenant.id, itemId: item.id, account, reason },
      record(caller, item, 'REQUEST_ACCESS'),
    );
    if (made === undefined) throw noSuchItem();
    if (made === 'waiting') {
      throw new ProblemError('conflict', 'Your earlier request for this item is not decided yet.');
    }
    return made;
  };
}

/** Returns all requests for an item to a caller who may decide them, and the caller's own to any other. */
export type ListAccessRequests = (caller: Caller, id: string) => Promise<readonly AccessRequest[]>;

export function createListAccessRequests(dependencies: MarketplaceAccessDependencies): ListAccessRequests {
  return async (caller, id) => {
    const { principal } = caller;
    const item = await itemOf(dependencies, caller, id);
    const isManager = item.owner.id === principal.id || principal.permissions.has('admin');
    const metadata = { requests: isManager ? 'all' : 'own' };
    await dependencies.audit.append(auditOf(caller, { action: 'READ_MARKETPLACE', target: item.id, metadata }));
    return dependencies.marketplaceAccess.requests(principal.tenant.id, item.id, isManager ? undefined : principal.id);
  };
}

interface AccessDecisionInput {
  readonly id: string;
  readonly requestId: string;
  readonly state: 'APPROVED' | 'REFUSED';
  readonly expiresTs?: number | null | undefined;
  readonly note?: string | undefined;
}

/**
 * Approves or refuses a request. Throws `access_denied` for a caller who may not decide, `invalid_request` for an approval with an
 * expiry in the past, and `conflict` when the request is decided already or the item has its maximum of grants.
 */
export type DecideAccess = (caller: Caller, input: AccessDecisionInput) => Promise<AccessRequest>;

export function createDecideAccess({
  marketplaceChanges,
}: {
  readonly marketplaceChanges: MarketplaceChanges;
}): DecideAccess {
  return async (caller, { id, requestId, state, expiresTs, note }) => {
    const { principal } = caller;
    const tenantId = principal.tenant.id;
    const decided = await marketplaceChanges.change(tenantId, async ({ marketplace, marketplaceAccess }) => {
      const item = requireManager(await marketplace.lock(tenantId, granteeOf(principal), id), principal);
      requireFutureExpiry(expiresTs);
      return marketplaceAccess.decide(
        {
          tenantId,
          itemId: item.id,
          requestId,
          by: principal.name,
          state,
          expiresTs: expiresTs ?? null,
          note: note ?? null,
        },
        record(caller, item, state === 'APPROVED' ? 'APPROVE_ACCESS' : 'REFUSE_ACCESS'),
      );
    });
    if (decided === undefined) throw new ProblemError('not_found', 'This item has no request with this id.');
    if (decided === 'decided') throw new ProblemError('conflict', 'This request is decided already.');
    if (decided === 'full') {
      throw new ProblemError('conflict', `An item has at most ${ITEM_GRANTS_MAX} grants. Grant it to a role.`);
    }
    return decided;
  };
}

const record = (caller: Caller, item: StoredItem, action: AuditAction) => (made: AccessRequest) =>
  auditOf(caller, {
    action,
    target: item.id,
    metadata: {
      request_id: made.request_id,
      user: made.user,
      reason: made.reason,
      expires_ts: made.expires_ts,
      note: made.note,
    },
  });
