import type { ApiOperationTypes } from '../contract-types.ts';
import { SluiceError } from '../errors.ts';
import type { ApiOperations, CallOptions } from '../operations/operations.ts';

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
  for (let from = 0; ; from += PAGE_RECORDS) {
    const page = await api.searchDatamaps({ ...options, body: { ...search, from, size: PAGE_RECORDS } });
    for (const record of page.data) {
      if (seen.has(record.id)) continue;
      seen.add(record.id);
      yield record;
    }
    if (page.data.length < PAGE_RECORDS) return;
    if (from + PAGE_RECORDS >= page.max_supported_records) {
      if (page.total <= page.max_supported_records) return;
      const message = `The search has ${page.total} matches, and only ${page.max_supported_records} can be read. Narrow it.`;
      throw new SluiceError('too_many_matches', message);
    }
  }
}
