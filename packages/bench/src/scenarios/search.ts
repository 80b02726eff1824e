import type { Finding } from '../report.ts';
import { COMMON_PREFIX, COMMON_WORD, markOf, RARE_WORD, SECOND_COMMON_WORD } from './search-catalog.ts';
import { openSearchDatabase, type SearchBenchOptions, type SearchDatabase, type Spent } from './search-database.ts';

interface SearchKind {
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
function searchKinds(tenantId: string): SearchKind[] {
  const words = (tier: '0' | '1' | '2', ...search: readonly string[]): string =>
    `words @@ '${search.map((word, index) => `''${markOf(tenantId, tier)}${word}''${index === search.length - 1 ? ':*' : ''}`).join(' & ')}'`;
  const entries = `select fact_id from search_entries where tenant_id = '${tenantId}' and type = 'DATAMAP'`;
  const paged = ({ from, size }: Page) => `offset ${from} limit ${size}`;
  const byQueries = 'order by query_count desc, fact_id desc';
  const ranked = (search: readonly string[], page: Page) => {
    const [first = '', ...others] = search;
    const exact = `words @@ '${[first, ...others].map((word) => `''${markOf(tenantId, '1')}${word}''`).join(' & ')}'`;
    const begins = `words @@ '''${markOf(tenantId, '4')}${search.join(' ')}'':*'`;
    const tier = `case when ${begins} then 0 when ${exact} then 1 when ${words('1', ...search)} then 2 when ${words('2', ...search)} then 3 else 4 end`;
    return [
      ...ways(
        `${entries} and ${words('0', ...search)} order by ${tier}, query_count desc, fact_id desc ${paged(page)}`,
      ),
      // If the closest matches fill the page, a query for these alone is enough.
      ...ways(`${entries} and ${begins} ${byQueries} ${paged(page)}`),
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

/** Rounds of a measurement. A connection plans a statement for its first five executions; hosts keep their connections. */
export const SEARCH_ROUNDS_MIN = 12;
/** A statement that first costs this many times as much as the cheapest will not be the cheapest later. */
const HOPELESS = 20;
const READY_TIMEOUT_MS = 60_000;
/** Limit of the processor time, × of the cheapest bare SQL. */
const RATIO_MAX = 3;
const RATIO_GOAL = 2;
/** Limit for a word with tens of thousands of matches, × of one with ten. */
const COMMON_TO_RARE_MAX = 10;

const least = (spent: readonly Spent[]): number => Math.min(...spent.map(({ cpuMs }) => cpuMs));
const idsOf = (spent: readonly Spent[]): string => JSON.stringify(spent[0]?.ids);

interface Cost {
  readonly ours: number;
  readonly bare: number;
  readonly first: number;
}

async function measureKind(database: SearchDatabase, kind: SearchKind, rounds: number): Promise<Cost> {
  const search = () =>
    database.measure(async () => {
      const { hits } = await database.searches.search({
        tenantId: database.tenantId,
        type: 'DATAMAP',
        account: null,
        searchText: kind.question,
        sort: kind.sort,
        isDescending: kind.isDescending,
        from: kind.from,
        size: kind.size,
      });
      return hits.map(({ fact_id }) => fact_id);
    });
  const first = await search();
  const expected = JSON.stringify(first.ids);
  const candidates = await cheapestStatements(database, kind, expected);
  const ours: Spent[] = [];
  const bare = candidates.map((): Spent[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, statement] of candidates.entries()) {
      // As often as all statements together, since the minimum of many samples is lower than that of few.
      ours.push(await search());
      const spent = await database.bare(statement, READY_TIMEOUT_MS);
      if (spent !== undefined) bare[index]?.push(spent);
    }
  }
  if (idsOf(ours) !== expected) throw new Error(`The same search returned other ids: ${kind.name}`);
  return { ours: least(ours), bare: Math.min(...bare.map(least)), first: first.cpuMs };
}

/** Returns the statements with the same ids, without those that are far too expensive. */
async function cheapestStatements(
  database: SearchDatabase,
  kind: SearchKind,
  expected: string,
): Promise<readonly (readonly string[])[]> {
  const fitting: { readonly statement: readonly string[]; readonly cpuMs: number }[] = [];
  let cheapestMs = READY_TIMEOUT_MS / HOPELESS;
  for (const statement of kind.bare) {
    // The timeout is wall time, and on a busy machine a statement also waits for a processor.
    const spent = await database.bare(statement, Math.max(2_000, 2 * HOPELESS * cheapestMs));
    if (spent === undefined || JSON.stringify(spent.ids) !== expected) continue;
    fitting.push({ statement, cpuMs: spent.cpuMs });
    cheapestMs = Math.min(cheapestMs, spent.cpuMs);
  }
  if (fitting.length === 0) throw new Error(`No bare SQL returns the ids of: ${kind.name}`);
  return fitting.filter(({ cpuMs }) => cpuMs <= HOPELESS * cheapestMs).map(({ statement }) => statement);
}

/** Compares the search with bare SQL for the same ids, by processor time of the server. Only the search computes a total too. */
export async function search(options: SearchBenchOptions): Promise<readonly Finding[]> {
  await using database = await openSearchDatabase(options);
  const findings: Finding[] = [];
  const costs: Cost[] = [];
  for (const kind of searchKinds(database.tenantId)) {
    const cost = await measureKind(database, kind, options.rounds);
    costs.push(cost);
    const detail = `${cost.ours.toFixed(2)} ms to ${cost.bare.toFixed(2)} ms; the first time ${cost.first.toFixed(0)} ms`;
    options.print(`  ${kind.name}: ${detail}`);
    findings.push({
      name: `search: ${kind.name}`,
      measured: cost.ours / cost.bare,
      unit: '×',
      floor: RATIO_MAX,
      goal: RATIO_GOAL,
      better: 'lower',
      detail,
    });
  }
  const [rare, common] = costs;
  if (rare === undefined || common === undefined) return findings;
  const measured = common.ours / rare.ours;
  const detail = 'processor time of the server';
  findings.push({
    name: 'search: a common word to a rare one',
    measured,
    unit: '×',
    floor: COMMON_TO_RARE_MAX,
    goal: COMMON_TO_RARE_MAX,
    better: 'lower',
    detail,
  });
  return findings;
}
