import type { SearchHit } from './search-hit.ts';

/** A value of a facet with the number of hits that have it. */
export interface FacetValue {
  readonly value: string;
  readonly count: number;
}

const byRelevance = (a: SearchHit, b: SearchHit): number => b.score - a.score || b.updatedMs - a.updatedMs;

/**
 * Returns the hits of several kinds as one list. Each round holds the next page of each kind, and is sorted by itself, so that hits
 * which are shown never move when more are loaded.
 */
export function combineHits(pagesOfKinds: readonly (readonly (readonly SearchHit[])[])[]): readonly SearchHit[] {
  const rounds = Math.max(0, ...pagesOfKinds.map((pages) => pages.length));
  const all = Array.from({ length: rounds }, (_, round) =>
    pagesOfKinds.flatMap((pages) => pages[round] ?? []).sort(byRelevance),
  ).flat();
  // An object that was changed between two pages is in both.
  return [...new Map(all.map((hit) => [hit.key, hit])).values()];
}

/** Returns the most frequent values of the hits, at most `max`, and always the selected one. */
export function countFacet(
  hits: readonly SearchHit[],
  valuesOf: (hit: SearchHit) => readonly string[],
  { max, selected }: { readonly max: number; readonly selected: string | undefined },
): readonly FacetValue[] {
  const counts = new Map<string, number>(selected === undefined ? [] : [[selected, 0]]);
  for (const value of hits.flatMap((hit) => [...new Set(valuesOf(hit))]))
    counts.set(value, (counts.get(value) ?? 0) + 1);
  const sorted = [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  const shown = sorted.slice(0, max);
  const chosen = sorted.find(({ value }) => value === selected);
  return chosen === undefined || shown.includes(chosen) ? shown : [...shown.slice(0, max - 1), chosen];
}
