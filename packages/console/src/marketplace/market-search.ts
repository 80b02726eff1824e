/** Search and filters of the marketplace, which the address of the page contains. */
export interface MarketSearch {
  readonly words: string;
  readonly tag: string | undefined;
  /** Id of a domain. */
  readonly domain: string | undefined;
  readonly owner: string | undefined;
  /** Position of the first item of the page, from 0. */
  readonly from: number;
}

/** The filters that a user sets by choosing a value. */
export const MARKET_FILTERS = ['tag', 'domain', 'owner'] as const;
export type MarketFilter = (typeof MARKET_FILTERS)[number];

/** Items of one page. */
export const MARKET_PAGE_ITEMS = 24;
/** Longest search that the host accepts, in characters. */
const WORDS_MAX = 1_000;
const FROM_MAX = 999_999_999;

/** Reads the search from the query string of the address. What is not valid counts as absent. */
export function readMarketSearch(query: string): MarketSearch {
  const values = new URLSearchParams(query);
  const value = (name: string): string | undefined =>
    values.get(name)?.toWellFormed().replaceAll('\0', '') || undefined;
  const from = Number(values.get('from') ?? 0);
  return {
    words: [...(value('q') ?? '')].slice(0, WORDS_MAX).join(''),
    tag: value('tag'),
    domain: value('domain'),
    owner: value('owner'),
    from: Number.isInteger(from) && from > 0 && from <= FROM_MAX ? from : 0,
  };
}

/** Returns the path of the page with a search. */
export function marketPath({ words, tag, domain, owner, from }: Partial<MarketSearch>): string {
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries({ q: words, tag, domain, owner }))
    if (value !== undefined && value !== '') values.set(name, value);
  if (from !== undefined && from > 0) values.set('from', String(from));
  const query = values.toString();
  return query === '' ? '/marketplace' : `/marketplace?${query}`;
}

/** Returns the search with another value of a filter, from the first item on. Undefined removes the filter. */
export const withFilter = (search: MarketSearch, filter: MarketFilter, value: string | undefined): MarketSearch => ({
  ...search,
  [filter]: value,
  from: 0,
});
