import type { Caller } from '@sluice/contract';
import type { DatamapCounters } from '@sluice/store/datamaps';
import type { MarketplaceStore, StoredItem } from '@sluice/store/marketplace';

interface CountMarketplaceDownloadDependencies {
  readonly marketplace: Pick<MarketplaceStore, 'countDownload'>;
  readonly datamapCounters: Pick<DatamapCounters, 'countQuery'>;
}

/** Counts a download of an item, and a query of each of its datamaps. */
export type CountMarketplaceDownload = (caller: Caller, item: StoredItem) => Promise<void>;

export function createCountMarketplaceDownload({
  marketplace,
  datamapCounters,
}: CountMarketplaceDownloadDependencies): CountMarketplaceDownload {
  return async ({ principal }, item) => {
    const tenantId = principal.tenant.id;
    for (const { datamapId } of item.queries) datamapCounters.countQuery({ tenantId, factId: datamapId });
    await marketplace.countDownload(tenantId, item.id);
  };
}
