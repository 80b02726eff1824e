import {
  auditOf,
  type Caller,
  caselessKey,
  type MarketplaceFacets,
  type MarketplaceItem,
  type MarketplaceQuery,
} from '@sluice/contract';
import { granteeOf, noSuchItem, presentItem, type ReadItemGrants } from '@sluice/marketplace';
import type { AuditStore } from '@sluice/store/audit';
import type { MarketplaceStore, StoredGrant } from '@sluice/store/marketplace';

interface FindMarketplaceDependencies {
  readonly marketplace: Pick<MarketplaceStore, 'list' | 'facets' | 'find'>;
  readonly audit: Pick<AuditStore, 'append'>;
}

interface MarketplaceItemPage {
  readonly total: number;
  readonly data: readonly MarketplaceItem[];
  readonly facets?: MarketplaceFacets;
}

/** Returns the items of the tenant that contain all words of `q` and match the other filters, by title. */
export type FindMarketplaceItems = (caller: Caller, query: MarketplaceQuery) => Promise<MarketplaceItemPage>;
/** Returns one item. Throws `not_found`, also for another tenant's item. */
export type FindMarketplaceItem = (caller: Caller, id: string) => Promise<MarketplaceItem>;
/** Returns the grants of an item to a caller who may change them. Throws `not_found` and `access_denied`. */
export type FindItemGrants = (caller: Caller, id: string) => Promise<readonly StoredGrant[]>;

const SIZE_DEFAULT = 10;

export function createFindMarketplaceItems({ marketplace, audit }: FindMarketplaceDependencies): FindMarketplaceItems {
  return async (caller, { q, facets, from = 0, size = SIZE_DEFAULT, ...filters }) => {
    const { principal } = caller;
    const metadata = { q, ...filters, from, size };
    await audit.append(auditOf(caller, { action: 'READ_MARKETPLACE', target: 'marketplace', metadata }));
    const words = caselessKey(q ?? '')
      .split(/\s+/)
      .filter(Boolean);
    const filter = { words, ...filters };
    const tenantId = principal.tenant.id;
    const found = await marketplace.list(tenantId, granteeOf(principal), { ...filter, from, size });
    const data = found.items.map((item) => presentItem(item, principal));
    if (facets !== 'true') return { total: found.total, data };
    return { total: found.total, data, facets: await marketplace.facets(tenantId, filter) };
  };
}

export function createFindMarketplaceItem({ marketplace, audit }: FindMarketplaceDependencies): FindMarketplaceItem {
  return async (caller, id) => {
    const { principal } = caller;
    const item = await marketplace.find(principal.tenant.id, granteeOf(principal), id);
    if (item === undefined) throw noSuchItem();
    const metadata = { version: item.version };
    await audit.append(auditOf(caller, { action: 'READ_MARKETPLACE', target: item.id, metadata }));
    return presentItem(item, principal);
  };
}

interface FindItemGrantsDependencies {
  readonly readItemGrants: ReadItemGrants;
  readonly audit: Pick<AuditStore, 'append'>;
}

export function createFindItemGrants({ readItemGrants, audit }: FindItemGrantsDependencies): FindItemGrants {
  return async (caller, id) => {
    const grants = await readItemGrants(caller, id);
    await audit.append(auditOf(caller, { action: 'READ_MARKETPLACE', target: id, metadata: { item: id } }));
    return grants;
  };
}
