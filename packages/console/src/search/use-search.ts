import type { Client } from '@sluice/client';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '../api/query-keys.ts';
import { useClient } from '../api/use-client.ts';
import { SEARCH_KINDS, type SearchAddress, type ShownKind } from '../router/search-address.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { combineHits, hitOfItem, hitOfRecord, type SearchHit } from './search-hit.ts';

/** Results of a kind that are loaded together. */
const PAGE_SIZE = 20;
/** Results that paging can reach (docs/api-guide.md). */
const REACHABLE_MAX = 10_000;

interface HitPage {
  readonly total: number;
  readonly hits: readonly SearchHit[];
}

/** Longest tag (docs/api-guide.md). The address may hold any text. */
const TAG_CHARACTERS_MAX = 256;
const OPTIONS = {
  datamap: { type: 'DATAMAP' },
  table: { type: 'TABLE' },
  view: { type: 'VIEW' },
  draft: { type: 'DATAMAP', own_drafts: true },
} as const;

async function readPage(client: Client, kind: ShownKind, searchText: string, from: number, signal: AbortSignal) {
  const q = searchText === '' ? {} : { q: searchText };
  const page = { from, size: PAGE_SIZE };
  if (kind === 'item') {
    const { total, data } = await client.stream.listMarketplace({ query: { ...q, ...page }, signal });
    return { total, hits: data.map((item) => hitOfItem(item, searchText)) };
  }
  const body = { ...q, ...page, advance_options: OPTIONS[kind] };
  const { total, data } = await client.api.searchDatamaps({ body, signal });
  return { total, hits: data.map(hitOfRecord) };
}

/** Searches one kind. A response to words that are no longer searched for is dropped, and its request aborted. */
function useKind(kind: ShownKind, searchText: string, isEnabled = true) {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: QUERY_KEYS.search(kind, searchText),
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => readPage(client, kind, searchText, pageParam, signal),
    getNextPageParam: ({ total }: HitPage, pages) => {
      const next = pages.length * PAGE_SIZE;
      return next < Math.min(total, REACHABLE_MAX) ? next : undefined;
    },
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  });
}

/** Results of a search in all kinds. */
export interface SearchResults {
  /** Matches of each kind, as far as the hosts have counted them. */
  readonly totals: Readonly<Record<ShownKind, number | undefined>>;
  /** Loaded results of the shown kinds, before the filters by tag and domain. */
  readonly loaded: readonly SearchHit[];
  /** Those with the tag and domain of the address. */
  readonly hits: readonly SearchHit[];
  /** The first response has not arrived, or the results are those of the words before. */
  readonly isPending: boolean;
  readonly error: unknown;
  /** Undefined: everything is loaded. */
  readonly loadMore: (() => void) | undefined;
  readonly retry: () => void;
}

const HAS_WORD = /[\p{L}\p{N}]/u;

/** The words that are sent. The words of a tag find the objects that have it, however many there are. The last word stays a prefix. */
const toSearchText = ({ searchText, tag }: SearchAddress): string =>
  tag === undefined || !HAS_WORD.test(tag) ? searchText : `${tag.slice(0, TAG_CHARACTERS_MAX)} ${searchText}`.trim();

/** Searches datamaps, tables, views and marketplace items at once. */
export function useSearch(address: SearchAddress): SearchResults {
  const { kind, tag, domain } = address;
  const searchText = toSearchText(address);
  const mayDraft = useCurrentUser().permissions.includes('datamap:write');
  const all = {
    datamap: useKind('datamap', searchText),
    table: useKind('table', searchText),
    view: useKind('view', searchText),
    item: useKind('item', searchText),
    // The search of drafts reads names only, so it does not find the words of a tag.
    draft: useKind('draft', address.searchText, mayDraft),
  };
  const shown = kind === undefined ? SEARCH_KINDS.map((each) => all[each]) : [all[kind]];
  const loaded = combineHits(shown.map(({ data }) => data?.pages.map(({ hits }) => hits) ?? []));
  const more = shown.filter(({ hasNextPage }) => hasNextPage);
  const idle = more.filter(({ isFetchingNextPage }) => !isFetchingNextPage);
  const failed = shown.filter(({ isError }) => isError);
  return {
    totals: {
      datamap: all.datamap.data?.pages[0]?.total,
      table: all.table.data?.pages[0]?.total,
      view: all.view.data?.pages[0]?.total,
      item: all.item.data?.pages[0]?.total,
      draft: all.draft.data?.pages[0]?.total,
    },
    loaded,
    hits: loaded.filter(
      (hit) => (tag === undefined || hit.tags.includes(tag)) && (domain === undefined || hit.domains.includes(domain)),
    ),
    isPending: shown.some(({ isPending, isPlaceholderData }) => isPending || isPlaceholderData),
    error: failed[0]?.error,
    loadMore: more.length === 0 ? undefined : () => void Promise.all(idle.map(({ fetchNextPage }) => fetchNextPage())),
    retry: () => void Promise.all(failed.map(({ refetch }) => refetch())),
  };
}
