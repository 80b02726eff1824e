/** Kinds of objects that a search finds, in the order in which pages list them. */
export const SEARCH_KINDS = ['datamap', 'table', 'view', 'item'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** Kind of the listed results. `draft`: the user's own datamaps that are not published. */
export type ShownKind = SearchKind | 'draft';

/** Search and filters of a search page, which its address contains. */
export interface SearchAddress {
  /** Searched text. Empty: none. */
  readonly searchText: string;
  /** Undefined: all kinds. */
  readonly kind: ShownKind | undefined;
  readonly tag: string | undefined;
  /** Id of a domain. */
  readonly domain: string | undefined;
}

export const NO_SEARCH: SearchAddress = { searchText: '', kind: undefined, tag: undefined, domain: undefined };

/** Longest text that is searched for. A request has at most 1,000 characters, with the words of a tag. */
export const SEARCH_CHARACTERS_MAX = 700;

const isKind = (text: string | null): text is ShownKind =>
  text === 'draft' || SEARCH_KINDS.some((kind) => kind === text);

/** Reads the query string of a search page. A part that it does not know is ignored. */
export function readSearchAddress(queryString: string): SearchAddress {
  const values = new URLSearchParams(queryString);
  const kind = values.get('kind');
  return {
    searchText: (values.get('q') ?? '').slice(0, SEARCH_CHARACTERS_MAX),
    kind: isKind(kind) ? kind : undefined,
    tag: values.get('tag') ?? undefined,
    domain: values.get('domain') ?? undefined,
  };
}

/** Returns the path of a search page, with its query string. */
export function searchPath({ searchText = '', kind, tag, domain }: Partial<SearchAddress>): string {
  const values = Object.entries({ q: searchText === '' ? undefined : searchText, kind, tag, domain });
  const given = values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return given.length === 0 ? '/search' : `/search?${new URLSearchParams(given)}`;
}
