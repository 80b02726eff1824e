import { COMMON_PREFIX, COMMON_WORD, markOf, RARE_WORD, SECOND_COMMON_WORD } from './search-catalog.ts';

export interface SearchKind {
  readonly name: string;
  readonly question?: string;
  readonly sort: 'relevance' | 'updated' | 'query_count' | 'sort_name';
  readonly isDescending: boolean;
  readonly from: number;
  readonly size: number;
  /** Statements that return the same ids, each with the planner settings to turn off. The cheapest counts. */
  readonly bare: readonly (readonly string[])[];
}

const PAGE = { from: 0, size: 10 };
const DEEP = { from: 9990, size: 10 };
const WIDE = { from: 0, size: 10_000 };

type Page = typeof PAGE;

/** Returns a statement with all access paths of PostgreSQL, whichever its planner prefers. */
const ways = (statement: string): string[][] => [
  [statement],
  [statement, 'enable_indexscan', 'enable_indexonlyscan', 'enable_seqscan'],
  [statement, 'enable_bitmapscan', 'enable_seqscan', 'enable_sort'],
];

/** Returns the kinds of search, each with bare SQL for the same ids. */
export function searchKinds(tenantId: string): SearchKind[] {
  const words = (tier: '0' | '1' | '2', ...search: readonly string[]): string =>
    `words @@ '${search.map((word, index) => `''${markOf(tenantId, tier)}${word}''${index === search.length - 1 ? ':*' : ''}`).join(' & ')}'`;
  const entries = `select fact_id from search_entries where tenant_id = '${tenantId}' and type = 'DATAMAP'`;
  const paged = ({ from, size }: Page) => `offset ${from} limit ${size}`;
  const byQueries = 'order by query_count desc, fact_id desc';
  const ranked = (search: readonly string[], page: Page) => {
    const [first = '', ...others] = search;
    const exact = `words @@ '${[first, ...others].map((word) => `''${markOf(tenantId, '1')}${word}''`).join(' & ')}'`;
    const tier = `case when ${exact} then 1 when ${words('1', ...search)} then 2 when ${words('2', ...search)} then 3 else 4 end`;
    return [
      ...ways(
        `${entries} and ${words('0', ...search)} order by ${tier}, query_count desc, fact_id desc ${paged(page)}`,
      ),
      // If the closest matches fill the page, a query for these alone is enough.
      ...ways(`${entries} and ${exact} ${byQueries} ${paged(page)}`),
      ...ways(`${entries} and ${words('1', ...search)} ${byQueries} ${paged(page)}`),
      ...ways(`${entries} and ${words('2', ...search)} ${byQueries} ${paged(page)}`),
    ];
  };
  const relevance = (name: string, search: readonly string[], page: Page = PAGE): SearchKind => ({
    name,
    question: search.join(' '),
    sort: 'relevance',
    isDescending: true,
    ...page,
    bare: ranked(search, page),
  });
  const sorted = (
    name: string,
    sort: SearchKind['sort'],
    more: { question?: string; page?: Page } = {},
  ): SearchKind => {
    const { question, page = PAGE } = more;
    const isDescending = sort !== 'sort_name';
    const order = isDescending ? `order by ${sort} desc, fact_id desc` : `order by ${sort}, fact_id`;
    const filter = question === undefined ? '' : `and ${words('0', question)}`;
    const bare = ways(`${entries} ${filter} ${order} ${paged(page)}`);
    return { name, sort, isDescending, ...page, bare, ...(question === undefined ? {} : { question }) };
  };
  const similar = `with typo as (select word from search_words where tenant_id = '${tenantId}' and word % 'zanzibr'
    order by similarity(word, 'zanzibr') desc, word limit 1) `;
  const corrected = `${similar}${entries} and words @@ (select ('''${markOf(tenantId, '0')}' || word || ''':*')::tsquery from typo)
    ${byQueries} ${paged(PAGE)}`;
  return [
    relevance('a rare word', [RARE_WORD]),
    relevance('a word with 65 of 1,000 entries', [COMMON_WORD]),
    relevance('two common words', [COMMON_WORD, SECOND_COMMON_WORD]),
    relevance('a common and a rare word', [COMMON_WORD, RARE_WORD]),
    relevance('the beginning of a common word', ['fligh']),
    relevance('a prefix that most entries contain', [COMMON_PREFIX]),
    { ...relevance('a typo', ['zanzibr']), bare: ways(corrected) },
    sorted('a common word, latest first', 'updated', { question: COMMON_WORD }),
    sorted('a common word, by name', 'sort_name', { question: COMMON_WORD }),
    sorted('all, latest first', 'updated'),
    sorted('all, most queried first', 'query_count'),
    sorted('all, by name', 'sort_name'),
    sorted('all, page at 9,990', 'updated', { page: DEEP }),
    sorted('all, page of 10,000', 'updated', { page: WIDE }),
    relevance('a common word, page at 9,990', [COMMON_WORD], DEEP),
    relevance('a common word, page of 10,000', [COMMON_WORD], WIDE),
  ];
}
