import { readFrom, readText, withParameters } from '../router/query-parameters.ts';

/** Search and filters of the marketplace, which the address of the page contains. */
export interface MarketSearch {
  readonly searchText: string;
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
const SEARCH_CHARACTERS_MAX = 1_000;

/** Reads the search from the query string of the address. What is not valid counts as absent. */
export function readMarketSearch(query: string): MarketSearch {
  const values = new URLSearchParams(query);
  return {
    searchText: [...(readText(values, 'q') ?? '')].slice(0, SEARCH_CHARACTERS_MAX).join(''),
    tag: readText(values, 'tag'),
    domain: readText(values, 'domain'),
    owner: readText(values, 'owner'),
    from: readFrom(values),
  };
}

/** Returns the path of the page with a search. */
export function marketPath({ searchText, tag, domain, owner, from }: Partial<MarketSearch>): string {
  const query = withParameters('', { q: searchText, tag, domain, owner, from });
  return query === '' ? '/marketplace' : `/marketplace?${query}`;
}

/** Returns the search with another value of a filter, from the first item on. Undefined removes the filter. */
export const withFilter = (search: MarketSearch, filter: MarketFilter, value: string | undefined): MarketSearch => ({
  ...search,
  [filter]: value,
  from: 0,
});

/** Returns the number of filters that the user has set. */
export const countFilters = (search: MarketSearch): number =>
  MARKET_FILTERS.filter((filter) => search[filter] !== undefined).length;
