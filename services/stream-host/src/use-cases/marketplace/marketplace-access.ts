import { type AccessRequest, type AuditAction, ITEM_GRANTS_MAX, ProblemError } from '@sluice/contract';
import { granteeOf, noSuchItem, requireFutureExpiry, requireManager } from '@sluice/marketplace';
import { type AuditStore, auditOf, type Caller } from '@sluice/store/audit';
import type { MarketplaceAccessStore, MarketplaceStore, StoredItem } from '@sluice/store/marketplace';

export interface MarketplaceAccessDependencies {
  readonly marketplace: Pick<MarketplaceStore, 'find'>;
  readonly marketplaceAccess: Pick<MarketplaceAccessStore, 'request' | 'requests' | 'decide'>;
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

/** Throws `conflict` when the caller's last request still waits. */
export async function requestAccess(
  dependencies: MarketplaceAccessDependencies,
  caller: Caller,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<AccessRequest> {
  const { principal } = caller;
  const item = await itemOf(dependencies, caller, id);
  const account = { kind: principal.kind, id: principal.id, name: principal.name };
  const made = await dependencies.marketplaceAccess.request(
    { tenantId: principal.tenant.id, itemId: item.id, account, reason },
    record(caller, item, 'REQUEST_ACCESS'),
  );
  if (made === undefined) throw noSuchItem();
  if (made === 'waiting') {
    throw new ProblemError('conflict', 'You have asked for this item already, and wait for an answer.');
  }
  return made;
}

/** All requests for those who decide them, and for anybody else their own. */
export async function listAccessRequests(
  dependencies: MarketplaceAccessDependencies,
  caller: Caller,
  id: string,
): Promise<readonly AccessRequest[]> {
  const { principal } = caller;
  const item = await itemOf(dependencies, caller, id);
  const isManager = item.owner.id === principal.id || principal.permissions.has('admin');
  const metadata = { requests: isManager ? 'all' : 'own' };
  await dependencies.audit.append(auditOf(caller, { action: 'READ_MARKETPLACE', target: item.id, metadata }));
  return dependencies.marketplaceAccess.requests(principal.tenant.id, item.id, isManager ? undefined : principal.id);
}

export interface AccessVerdict {
  readonly id: string;
  readonly requestId: string;
  readonly state: 'APPROVED' | 'REFUSED';
  readonly expiresTs?: number | null | undefined;
  readonly note?: string | undefined;
}

/**
 * Throws `access_denied` for whoever may not decide, `invalid_request` for an approval until a time that is past, and `conflict` when
 * it was decided before or the item has all the grants that it may have.
 */
export async function decideAccess(
  dependencies: MarketplaceAccessDependencies,
  caller: Caller,
  verdict: AccessVerdict,
): Promise<AccessRequest> {
  const { principal } = caller;
  const item = await itemOf(dependencies, caller, verdict.id);
  requireManager(item, principal);
  requireFutureExpiry(verdict.expiresTs);
  const decided = await dependencies.marketplaceAccess.decide(
    {
      tenantId: principal.tenant.id,
      itemId: item.id,
      requestId: verdict.requestId,
      by: principal.name,
      state: verdict.state,
      expiresTs: verdict.expiresTs ?? null,
      note: verdict.note ?? null,
    },
    record(caller, item, verdict.state === 'APPROVED' ? 'APPROVE_ACCESS' : 'REFUSE_ACCESS'),
  );
  if (decided === undefined) throw new ProblemError('not_found', 'There is no such request for this item.');
  if (decided === 'decided') throw new ProblemError('conflict', 'This request has been decided already.');
  if (decided === 'full') {
    throw new ProblemError('conflict', `An item has at most ${ITEM_GRANTS_MAX} grants. Grant it to a role.`);
  }
  return decided;
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
