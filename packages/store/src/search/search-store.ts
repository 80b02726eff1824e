import { type FactType, ProblemError } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import { type PreparedStatement, prepared } from '../database/transaction.ts';
import { createSearchCounter } from './search-counter.ts';
import { type Choice, driverOf, editsOf, tiersOf } from './search-query.ts';
import { wordsOf } from './search-words.ts';

/** What a page may be ordered by; `name` is the lower-case name by its bytes. */
export type SearchSort = 'relevance' | 'updated' | 'query_count' | 'sort_name';

export interface FactSearch {
  readonly tenantId: string;
  readonly type: FactType;
  /** Sees what is public, and what it owns or is steward of; null sees everything. */
  readonly account: string | null;
  /** Words; undefined finds everything. */
  readonly searchText: string | undefined;
  readonly sort: SearchSort;
  readonly isDescending: boolean;
  readonly from: number;
  readonly size: number;
}

/** A hit with its score between 0 and 1 and whatever the statement joined to it. */
export type SearchHit<R> = R & { readonly fact_id: string; readonly score: number };

export interface SearchPage<R> {
  /** Of everything that the account may see and the question finds. */
  readonly total: number;
  readonly hits: readonly SearchHit<R>[];
}

/** What is told of each hit: columns, and what they come from joined to `h.fact_id`. Parameters from `$9` on. */
export interface HitRecords {
  readonly label: string;
  readonly columns: string;
  readonly joins: string;
}

export interface SearchStore {
  /** One statement, so total, page and records are of one moment. */
  search<R extends object>(search: FactSearch, values?: readonly unknown[]): Promise<SearchPage<R>>;
  /** Brings the kept counts up to now and forgets the changes that nobody needs any more; of several hosts one does it. */
  carryCounts(): Promise<void>;
  /** Folds search entries of the version before, in batches, for about a second; does nothing once all are folded. */
  foldEntries(): Promise<void>;
}

/** By tier: the words in the title, begun in the title, in title or summary, anywhere. */
const SCORES = [0, 1, 0.8, 0.5, 0.2];
const CORRECTED = 0.5;

interface HitRow {
  readonly fact_id: string | null;
  readonly tier: number | null;
  /** Null where something must be counted first. */
  readonly total: string | null;
}

/** Where searches are answered, and where their counts are made. */
export interface SearchDatabases {
  readonly database: Database;
  /** Its statements may take long, and its connections are how many are counted at once. */
  readonly counting: Database;
}

/** Pages further behind may need more counts, and one that was kept may be forgotten before it is read. */
const ATTEMPTS_MAX = 6;

const FOLDING_TURN_MS = 1000;

const statementOf = ({ label, columns, joins }: HitRecords): PreparedStatement =>
  prepared(
    `search_${label}`,
    `select h.fact_id, h.tier, h.total, ${columns}
     from search_page($1, $2, $3::tsquery[], $4::tsquery, $5, $6, $7, $8, false) h ${joins}
     order by h.place`,
  );

const SIMILAR = prepared(
  'similar_search_words',
  `select q.word, s.found as similar from jsonb_to_recordset($1) q (word text, is_prefix boolean, edits text[])
   cross join lateral similar_search_words(q.word, q.is_prefix, q.edits) s (found)`,
);

const countsVanish = (): ProblemError =>
  new ProblemError('service_unavailable', 'Too much changes for this search to be counted. Ask again in a moment.');

/** Words that cannot have been learned cannot be told to be slips. */
const CORRECTABLE = /^(?=.*\p{L})[\p{L}\p{N}]{3,32}$/u;

export function createSearchStore(
  { database, counting }: SearchDatabases,
  recordsOf: Readonly<Record<FactType, HitRecords>>,
): SearchStore {
  const countSearch = createSearchCounter(counting);
  let areEntriesFolded = false;
  const statements = {
    DATAMAP: statementOf(recordsOf.DATAMAP),
    TABLE: statementOf(recordsOf.TABLE),
    VIEW: statementOf(recordsOf.VIEW),
  };

  const ask = async <R extends object>(
    search: FactSearch,
    choices: readonly Choice[] | undefined,
    values: readonly unknown[],
  ): Promise<SearchPage<R>> => {
    const { tenantId, type, account, sort, isDescending, from, size } = search;
    const tiers = choices === undefined ? null : tiersOf(tenantId, type, choices);
    const driver = choices === undefined ? null : driverOf(tenantId, type, choices);
    const asked = [type, account, tiers, driver, sort, isDescending, from, size];
    const read = async (attempt: number): Promise<readonly [HitRow, ...(HitRow & R)[]]> => {
      const [summary, ...hits] = await database.run<HitRow & R>({ tenantId }, statements[type], [...asked, ...values]);
      if (summary === undefined) throw new Error('a search answered nothing');
      if (summary.total !== null) return [summary, ...hits];
      if (attempt === ATTEMPTS_MAX) throw countsVanish();
      await countSearch({ tenantId, type, audience: account === null ? 'all' : 'public', tiers, values: asked });
      return await read(attempt + 1);
    };
    const [summary, ...hits] = await read(1);
    const scoreOf = (tier: number | null): number => (choices === undefined ? 0 : (SCORES[tier ?? 4] ?? 0));
    return {
      total: Number(summary.total),
      hits: hits.map((hit) => ({ ...hit, fact_id: String(hit.fact_id), score: scoreOf(hit.tier) })),
    };
  };

  /** The words with what they may have been meant to be; undefined when none of them looks like a slip. */
  const correct = async (tenantId: string, words: readonly string[]): Promise<Choice[] | undefined> => {
    const doubted = words
      .map((word, index) => ({ word, is_prefix: index === words.length - 1 }))
      .filter(({ word }) => CORRECTABLE.test(word))
      .map((asked) => ({ ...asked, edits: editsOf(asked.word) }));
    if (doubted.length === 0) return undefined;
    const found = await database.run<{ word: string; similar: string }>({ tenantId }, SIMILAR, [
      JSON.stringify(doubted),
    ]);
    if (found.length === 0) return undefined;
    return words.map((word) => [word, ...found.filter((each) => each.word === word).map(({ similar }) => similar)]);
  };

  return {
    async carryCounts() {
      await database.withoutTenant((transaction) => transaction.query('select carry_search_counts()'));
    },
    async foldEntries() {
      const endMs = performance.now() + FOLDING_TURN_MS;
      while (!areEntriesFolded && performance.now() < endMs) {
        const [folded] = await database.withoutTenant((transaction) =>
          transaction.query<{ state: 'more' | 'busy' | 'done' }>('select fold_search_entries() as state'),
        );
        if (folded?.state === 'busy') return;
        areEntriesFolded = folded?.state === 'done';
      }
    },
    async search<R extends object>(search: FactSearch, values: readonly unknown[] = []) {
      if (search.searchText === undefined) return ask<R>(search, undefined, values);
      const words = wordsOf(search.searchText);
      // Nothing but signs: no entry has such a word.
      if (words.length === 0) return { total: 0, hits: [] };
      const page = await ask<R>(
        search,
        words.map((word) => [word]),
        values,
      );
      if (page.total > 0) return page;
      const choices = await correct(search.tenantId, words);
      if (choices === undefined) return page;
      const corrected = await ask<R>(search, choices, values);
      return { ...corrected, hits: corrected.hits.map((hit) => ({ ...hit, score: hit.score * CORRECTED })) };
    },
  };
}
