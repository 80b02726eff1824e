import { caselessKey, type MarketplaceItem, type MarketplaceQuery } from '@sluice/contract';
import { type ChangeMarketplace, granteeOf, noSuchItem, presentItem } from '@sluice/marketplace';
import { type AuditStore, auditOf, type Caller } from '@sluice/store/audit';
import type { MarketplaceStore, StoredGrant } from '@sluice/store/marketplace';

export interface FindMarketplaceDependencies {
  readonly marketplace: Pick<MarketplaceStore, 'list' | 'find'>;
  readonly audit: Pick<AuditStore, 'append'>;
}

const SIZE_DEFAULT = 10;

/** Items of the tenant that have all words of `q`, by title. */
export async function findMarketplaceItems(
  { marketplace, audit }: FindMarketplaceDependencies,
  caller: Caller,
  { q, from = 0, size = SIZE_DEFAULT }: MarketplaceQuery,
): Promise<{ readonly total: number; readonly data: readonly MarketplaceItem[] }> {
  const { principal } = caller;
  await audit.append(
    auditOf(caller, { action: 'READ_MARKETPLACE', target: 'marketplace', metadata: { q, from, size } }),
  );
  const words = caselessKey(q ?? '')
    .split(/\s+/)
    .filter(Boolean);
  const found = await marketplace.list(principal.tenant.id, granteeOf(principal), { words, from, size });
  return { total: found.total, data: found.items.map((item) => presentItem(item, principal)) };
}

/** Throws `not_found`, for another tenant's item too. */
export async function findMarketplaceItem(
  { marketplace, audit }: FindMarketplaceDependencies,
  caller: Caller,
  id: string,
): Promise<MarketplaceItem> {
  const { principal } = caller;
  const item = await marketplace.find(principal.tenant.id, granteeOf(principal), id);
  if (item === undefined) throw noSuchItem();
  await audit.append(
    auditOf(caller, { action: 'READ_MARKETPLACE', target: item.id, metadata: { version: item.version } }),
  );
  return presentItem(item, principal);
}

/** The grants of one item, for those who may change them. Throws `not_found` and `access_denied`. */
export async function findItemGrants(
  {
    change,
    audit,
  }: Pick<FindMarketplaceDependencies, 'audit'> & { readonly change: Pick<ChangeMarketplace, 'grants'> },
  caller: Caller,
  id: string,
): Promise<readonly StoredGrant[]> {
  const grants = await change.grants(caller, id);
  await audit.append(auditOf(caller, { action: 'READ_MARKETPLACE', target: id, metadata: { item: id } }));
  return grants;
}
