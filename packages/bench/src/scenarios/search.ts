import type { Finding } from '../report.ts';
import { openSearchDatabase, type SearchBenchOptions, type SearchDatabase, type Spent } from './search-database.ts';
import { type SearchKind, searchKinds } from './search-kinds.ts';

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
