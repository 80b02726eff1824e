import type { StreamOperationTypes } from '../contract-types.ts';
import type { CallOptions, StreamOperations } from '../operations/operations.ts';

export type MarketplaceItem = StreamOperationTypes['listMarketplace']['result']['data'][number];

const PAGE_ITEMS = 100;

/** Yields the items that match all words, sorted by title, over all pages. An item that moves while the pages are read is yielded once. */
export async function* searchMarketplace(
  stream: Pick<StreamOperations, 'listMarketplace'>,
  words: string | undefined,
  options: Pick<CallOptions, 'signal'> = {},
): AsyncGenerator<MarketplaceItem, void, undefined> {
  const seen = new Set<string>();
  const filter = words === undefined ? {} : { q: words };
  for (let from = 0; ; from += PAGE_ITEMS) {
    const { data } = await stream.listMarketplace({ ...options, query: { ...filter, from, size: PAGE_ITEMS } });
    for (const item of data) {
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      yield item;
    }
    if (data.length < PAGE_ITEMS) return;
  }
}
