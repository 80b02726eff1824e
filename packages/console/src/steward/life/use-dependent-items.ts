import type { Client, MarketplaceItem } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/use-client.ts';

/** Items that are looked through. */
const ITEMS_MAX = 5000;
const PAGE_ITEMS = 1000;

/** Marketplace items that need a datamap. */
interface DependentItems {
  readonly items: readonly Pick<MarketplaceItem, 'id' | 'title'>[];
  /** Whether all items of the tenant were looked through. */
  readonly isWhole: boolean;
}

async function findDependents(client: Client, datamapId: string, signal: AbortSignal): Promise<DependentItems> {
  const items: MarketplaceItem[] = [];
  for (let from = 0; from < ITEMS_MAX; from += PAGE_ITEMS) {
    const page = await client.stream.listMarketplace({ query: { from, size: PAGE_ITEMS }, signal });
    items.push(...page.data.filter(({ queries }) => queries.some(({ datamap_id: id }) => id === datamapId)));
    if (from + page.data.length >= page.total || page.data.length === 0) return { items, isWhole: true };
  }
  return { items, isWhole: false };
}

/** Returns the marketplace items that cannot be downloaded while a datamap is not published. */
export function useDependentItems(datamapId: string, isEnabled: boolean) {
  const client = useClient();
  return useQuery({
    queryKey: ['dependent-items', datamapId],
    queryFn: ({ signal }) => findDependents(client, datamapId, signal),
    enabled: isEnabled,
    staleTime: 0,
  });
}
