import { type AccessRequestsQuery, auditOf, type Caller, type ListedAccessRequest } from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import type { MarketplaceAccessStore } from '@sluice/store/marketplace';

interface FindAccessRequestsDependencies {
  readonly marketplaceAccess: Pick<MarketplaceAccessStore, 'list'>;
  readonly audit: Pick<AuditStore, 'append'>;
}

interface AccessRequestPage {
  readonly total: number;
  readonly data: readonly ListedAccessRequest[];
}

/** Returns the caller's requests for all items, or with the scope `inbox` those that the caller may decide. */
export type FindAccessRequests = (caller: Caller, query: AccessRequestsQuery) => Promise<AccessRequestPage>;

const SIZE_DEFAULT = 10;

export function createFindAccessRequests({
  marketplaceAccess,
  audit,
}: FindAccessRequestsDependencies): FindAccessRequests {
  return async (caller, { scope = 'own', state, from = 0, size = SIZE_DEFAULT }) => {
    const { principal } = caller;
    const metadata = { scope, state, from, size };
    await audit.append(auditOf(caller, { action: 'READ_MARKETPLACE', target: 'access-requests', metadata }));
    const { total, requests } = await marketplaceAccess.list(principal.tenant.id, {
      requesterId: scope === 'own' ? principal.id : undefined,
      ownerId: scope === 'own' || principal.permissions.has('admin') ? undefined : principal.id,
      state,
      from,
      size,
    });
    return { total, data: requests };
  };
}
