import type { ApiOperationTypes, StreamOperationTypes } from '../contract-types.ts';
import { SluiceError } from '../errors.ts';
import type { ApiOperations, CallOptions, StreamOperations } from '../operations/operations.ts';
import { PageGuard } from './page-guard.ts';

type Search = ApiOperationTypes['searchDatamaps'];
export type DatamapSearch = Omit<Search['body'], 'from' | 'size'>;
export type FoundDatamap = Search['result']['data'][number];

const PAGE_RECORDS = 100;

/**
 * Yields the matches of a search, over all pages. A record that moves while the pages are read is yielded once.
 * @throws SluiceError `too_many_matches` behind the last record that paging can reach (10,000), so that a part does not look whole
 */
export async function* searchDatamaps(
  api: Pick<ApiOperations, 'searchDatamaps'>,
  search: DatamapSearch = {},
  options: CallOptions = {},
): AsyncGenerator<FoundDatamap, void, undefined> {
  const seen = new Set<string>();
  const guard = new PageGuard();
  for (let from = 0; ; from += PAGE_RECORDS) {
    const page = await api.searchDatamaps({ ...options, body: { ...search, from, size: PAGE_RECORDS } });
    const before = seen.size;
    for (const record of page.data) {
      if (seen.has(record.id)) continue;
      seen.add(record.id);
      yield record;
    }
    if (page.data.length < PAGE_RECORDS) return;
    guard.add(seen.size - before);
    if (from + PAGE_RECORDS >= page.max_supported_records) {
      if (page.total <= page.max_supported_records) return;
      const message = `The search has ${page.total} matches, and only ${page.max_supported_records} can be read. Narrow it.`;
      throw new SluiceError('too_many_matches', message);
    }
  }
}

export type MarketplaceItem = StreamOperationTypes['listMarketplace']['result']['data'][number];

const PAGE_ITEMS = 100;

/** Yields the items that match all words, sorted by title, over all pages. An item that moves while the pages are read is yielded once. */
export async function* searchMarketplace(
  stream: Pick<StreamOperations, 'listMarketplace'>,
  words: string | undefined,
  options: Pick<CallOptions, 'signal'> = {},
): AsyncGenerator<MarketplaceItem, void, undefined> {
  const seen = new Set<string>();
  const guard = new PageGuard();
  const filter = words === undefined ? {} : { q: words };
  for (let from = 0; ; from += PAGE_ITEMS) {
    const { data } = await stream.listMarketplace({ ...options, query: { ...filter, from, size: PAGE_ITEMS } });
    const before = seen.size;
    for (const item of data) {
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      yield item;
    }
    if (data.length < PAGE_ITEMS) return;
    guard.add(seen.size - before);
  }
}
