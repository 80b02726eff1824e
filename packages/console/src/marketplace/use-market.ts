import type { StreamOperationTypes } from '@sluice/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useClient } from '../api/use-client.ts';
import { MARKET_PAGE_ITEMS, type MarketSearch } from './market-search.ts';

/** Requests of one page of a list. */
export const REQUEST_PAGE_SIZE = 25;

/** Returns the items that match a search, with how many have which tag, domain and owner. */
export function useMarketItems(search: MarketSearch) {
  const { searchText, tag, domain, owner, from } = search;
  const client = useClient();
  const filters = { q: searchText || undefined, tag, domain, owner };
  const query = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  return useQuery({
    queryKey: QUERY_KEYS.marketItems(search),
    queryFn: ({ signal }) =>
      client.stream.listMarketplace({ query: { ...query, facets: 'true', from, size: MARKET_PAGE_ITEMS }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Returns an item. Its access may change at any time, so it is read again whenever the page is opened or looked at again. */
export function useMarketItem(id: string) {
  const client = useClient();
  return useQuery({
    queryKey: QUERY_KEYS.marketItem(id),
    queryFn: ({ signal }) => client.stream.getMarketplaceItem({ params: { id }, signal }),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });
}

/** Returns the user's own requests for an item, and all of them for its owner. */
export function useItemRequests(id: string, isEnabled: boolean) {
  const client = useClient();
  return useQuery({
    queryKey: QUERY_KEYS.itemRequests(id),
    queryFn: async ({ signal }) => (await client.stream.listMarketplaceAccess({ params: { id }, signal })).data,
    enabled: isEnabled,
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });
}

/** Lists of access requests: those of the user, those that wait for the user's decision, and those that are decided. */
export type RequestList = 'own' | 'open' | 'inbox';

/** Returns a page of a list of access requests. */
export function useAccessRequests(list: RequestList, from: number) {
  const client = useClient();
  const query = list === 'open' ? ({ scope: 'inbox', state: 'PENDING' } as const) : ({ scope: list } as const);
  return useQuery({
    queryKey: QUERY_KEYS.requests(list, from),
    queryFn: ({ signal }) =>
      client.stream.listAccessRequests({ query: { ...query, from, size: REQUEST_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });
}

/** Requests of the user that are read for a list of items. Those that wait come first, then the newest. */
const OWN_REQUESTS_MAX = 200;
type OwnRequest = StreamOperationTypes['listAccessRequests']['result']['data'][number];
const NONE: readonly OwnRequest[] = [];

/** Returns a function from the id of an item to the user's own requests for it. Without an answer of the host, to none. */
export function useOwnRequests(): (itemId: string) => readonly OwnRequest[] {
  const client = useClient();
  const { data } = useQuery({
    queryKey: QUERY_KEYS.ownRequests,
    queryFn: async ({ signal }) => {
      const query = { scope: 'own', size: OWN_REQUESTS_MAX } as const;
      const found = new Map<string, OwnRequest[]>();
      for (const request of (await client.stream.listAccessRequests({ query, signal })).data)
        found.set(request.item_id, [...(found.get(request.item_id) ?? []), request]);
      return found;
    },
    staleTime: 0,
  });
  return (itemId) => data?.get(itemId) ?? NONE;
}
