import { type FactType, ProblemError } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import { type PreparedStatement, prepared } from '../database/transaction.ts';
import { checkPageBytes, limitPageBytes, type RecordSize } from './limit-page-bytes.ts';
import { createEntryUpgrade } from './refresh-outdated.ts';
import { createSearchCounter } from './search-counter.ts';
import { type Choice, driverOf, editsOf, tiersOf } from './search-query.ts';
import { isFoundAsPart, nameKeyOf, queryWordsOf } from './search-words.ts';

/** Sort key of a page; `name` is the lower-case name by its bytes. */
export type SearchSort = 'relevance' | 'updated' | 'query_count' | 'sort_name';

export interface FactSearch {
  readonly tenantId: string;
  readonly type: FactType;
  /** Account that sees public entries and those that it owns or is steward of; null sees everything. */
  readonly account: string | null;
  /** Words; undefined finds everything. */
  readonly searchText: string | undefined;
  readonly sort: SearchSort;
  readonly isDescending: boolean;
  readonly from: number;
  readonly size: number;
  /** Called before the search waits for a count, which takes long. */
  readonly onCount?: (() => void) | undefined;
}

/** Hit with its score between 0 and 1 and the columns that the statement joined to it. */
type SearchHit<R> = R & { readonly fact_id: string; readonly score: number };

interface SearchPage<R> {
  /** Number of all entries that match and that the account may see. */
  readonly total: number;
  readonly hits: readonly SearchHit<R>[];
}

/** Columns of each hit, and the joins to `h.fact_id` that they come from. Parameters start at `$9`. */
export interface HitRecords {
  readonly label: string;
  readonly columns: string;
  readonly joins: string;
}

export interface SearchStore {
  /** Runs one statement, so total, page and records come from one snapshot. Throws `invalid_request` for a page of too many long records. */
  search<R extends object>(search: FactSearch, values?: readonly unknown[]): Promise<SearchPage<R>>;
  /** Updates the kept counts and removes changes that are no longer needed. Of several hosts, one does the work. */
  updateCounts(): Promise<void>;
  /** Writes the words of entries again that hosts of an earlier version have written. Does a part of the work at each call. */
  refreshOutdated(): Promise<void>;
}

/** Scores by tier: the exact name, its beginning, the words in the title, parts of words there, in title or summary, anywhere. */
const SCORES = [0, 1, 0.9, 0.8, 0.7, 0.5, 0.2];
const CORRECTED = 0.5;

interface HitRow extends RecordSize {
  readonly fact_id: string | null;
  readonly tier: number | null;
  /** Null when something must be counted first. */
  readonly total: string | null;
}

/** Databases for searches and for their counts. */
interface SearchDatabases {
  readonly database: Database;
  /** Allows long statements. Its connections limit how many counts run at once. */
  readonly counting: Database;
}

/** Later pages may need more counts, and a stored count may be dropped before it is read. */
const ATTEMPTS_MAX = 6;

const statementOf = ({ label, columns, joins }: HitRecords): PreparedStatement =>
  prepared(
    `search_${label}`,
    limitPageBytes(`
      select h.place, h.fact_id, h.tier, h.total, ${columns}
      from search_page($1, $2, $3::tsquery[], $4::tsquery, $5, $6, $7, $8, false) h ${joins}`),
  );

const SIMILAR = prepared(
  'similar_search_words',
  `select q.word, s.found as similar from jsonb_to_recordset($1) q (word text, is_prefix boolean, edits text[])
   cross join lateral similar_search_words(q.word, q.is_prefix, q.edits) s (found)`,
);

const CONTAINING = prepared(
  'search_words_with',
  'select q.word, s.found as similar from unnest($1::text[]) q (word) cross join lateral search_words_with(q.word) s (found)',
);

const countsProblem = (): ProblemError =>
  new ProblemError(
    'service_unavailable',
    'The data changes too fast to count the matches of this search. Try again in a moment.',
  );

/** Other words are never stored as search words, so their typos cannot be recognized. */
const CORRECTABLE = /^(?=.*\p{L})[\p{L}\p{N}]{3,32}$/u;

export function createSearchStore(
  { database, counting }: SearchDatabases,
  recordsOf: Readonly<Record<FactType, HitRecords>>,
): SearchStore {
  const countSearch = createSearchCounter(counting);
  const statements = {
    DATAMAP: statementOf(recordsOf.DATAMAP),
    TABLE: statementOf(recordsOf.TABLE),
    VIEW: statementOf(recordsOf.VIEW),
  };

  const runSearch = async <R extends object>(
    search: FactSearch,
    choices: readonly Choice[] | undefined,
    values: readonly unknown[],
  ): Promise<SearchPage<R>> => {
    const { tenantId, type, account, sort, isDescending, from, size, searchText = '' } = search;
    const terms = choices === undefined ? undefined : { tenantId, type, choices, nameKey: nameKeyOf(searchText) };
    const tiers = terms === undefined ? null : tiersOf(terms);
    const driver = terms === undefined ? null : driverOf(terms);
    const searchValues = [type, account, tiers, driver, sort, isDescending, from, size];
    const read = async (attempt: number): Promise<readonly [HitRow, ...(HitRow & R)[]]> => {
      const [summary, ...hits] = await database.run<HitRow & R>({ tenantId }, statements[type], [
        ...searchValues,
        ...values,
      ]);
      if (summary === undefined) throw new Error('a search returned no row');
      if (summary.total !== null) return [summary, ...hits];
      if (attempt === ATTEMPTS_MAX) throw countsProblem();
      search.onCount?.();
      await countSearch({ tenantId, type, audience: account === null ? 'all' : 'public', tiers, values: searchValues });
      return await read(attempt + 1);
    };
    const [summary, ...hits] = await read(1);
    checkPageBytes(hits);
    const scoreOf = (tier: number | null): number =>
      choices === undefined ? 0 : (SCORES[tier ?? SCORES.length - 1] ?? 0);
    return {
      total: Number(summary.total),
      hits: hits.map((hit) => ({ ...hit, fact_id: String(hit.fact_id), score: scoreOf(hit.tier) })),
    };
  };

  type Replacement = { readonly word: string; readonly similar: string };

  const replaced = (choices: readonly Choice[], found: readonly Replacement[]): Choice[] | undefined =>
    found.length === 0
      ? undefined
      : choices.map((choice) => [
          ...choice,
          ...found.filter(({ word }) => word === choice[0]).map((each) => each.similar),
        ]);

  /** Returns the choices with words of entries that contain them; undefined when there are none. */
  const widen = async (tenantId: string, choices: readonly Choice[]): Promise<Choice[] | undefined> => {
    const parts = choices.map(([word = '']) => word).filter(isFoundAsPart);
    if (parts.length === 0) return undefined;
    return replaced(choices, await database.run<Replacement>({ tenantId }, CONTAINING, [parts]));
  };

  /** Returns the choices with possible corrections; undefined when no word looks like a typo. */
  const correct = async (tenantId: string, choices: readonly Choice[]): Promise<Choice[] | undefined> => {
    const ambiguous = choices
      .map(([word = ''], index) => ({ word, is_prefix: index === choices.length - 1 }))
      .filter(({ word }) => CORRECTABLE.test(word))
      .map((entry) => ({ ...entry, edits: editsOf(entry.word) }));
    if (ambiguous.length === 0) return undefined;
    return replaced(choices, await database.run<Replacement>({ tenantId }, SIMILAR, [JSON.stringify(ambiguous)]));
  };

  return {
    refreshOutdated: createEntryUpgrade(database),
    async updateCounts() {
      await database.withoutTenant((transaction) => transaction.query('select carry_search_counts()'));
    },
    async search<R extends object>(search: FactSearch, values: readonly unknown[] = []) {
      if (search.searchText === undefined) return runSearch<R>(search, undefined, values);
      const choices: Choice[] = queryWordsOf(search.searchText).map(({ word, inner }) =>
        inner.length > 1 ? [word, inner.join(' ')] : [word],
      );
      // Only punctuation: no entry contains such a word.
      if (choices.length === 0) return { total: 0, hits: [] };
      const page = await runSearch<R>(search, choices, values);
      if (page.total > 0) return page;
      const widened = await widen(search.tenantId, choices);
      const wider = widened === undefined ? page : await runSearch<R>(search, widened, values);
      if (wider.total > 0) return wider;
      const corrections = await correct(search.tenantId, choices);
      if (corrections === undefined) return page;
      const corrected = await runSearch<R>(search, corrections, values);
      return { ...corrected, hits: corrected.hits.map((hit) => ({ ...hit, score: hit.score * CORRECTED })) };
    },
  };
}
