import type { FoundDatamap, MarketplaceItem } from '@sluice/client';
import { catalogPath, datamapPath, itemPath } from '../router/object-paths.ts';
import type { SearchKind } from '../router/search-address.ts';

/** One result of a search, the same for all kinds. */
export interface SearchHit {
  readonly key: string;
  readonly kind: SearchKind;
  readonly title: string;
  /** Page of the object. Undefined: its name cannot be in an address. */
  readonly path: string | undefined;
  /** Catalog and schema of a table or view; empty for others. */
  readonly location: readonly string[];
  readonly description: string | null;
  readonly tags: readonly string[];
  /** Ids of domains. */
  readonly domains: readonly string[];
  readonly owner: string | null;
  /** Average rating from 1 to 5; null: not rated. */
  readonly rating: number | null;
  readonly isFavourite: boolean;
  /** Relevance from 0 to 1; 0 without words. */
  readonly score: number;
  readonly updatedMs: number;
  /** A state that the reader should know: a datamap that is not published, an item that the user may download. */
  readonly state: 'draft' | 'in-progress' | 'archived' | 'granted' | undefined;
}

const STATES = { DRAFT: 'draft', IN_PROGRESS: 'in-progress', ARCHIVED: 'archived', PUBLISHED: undefined } as const;

/** Returns the hit of a datamap, table or view. */
export function hitOfRecord(record: FoundDatamap): SearchHit {
  const { type, catalog, schema, datamap, user_activity: activity } = record;
  const isDatamap = type === 'DATAMAP';
  return {
    key: `${type} ${record.id}`,
    kind: type === 'TABLE' ? 'table' : type === 'VIEW' ? 'view' : 'datamap',
    title: isDatamap ? datamap.display_name : datamap.name,
    path: isDatamap ? datamapPath(record.id) : catalogPath(catalog, schema, datamap.name),
    location: isDatamap ? [] : [catalog, schema],
    description: record.description ?? record.remarks,
    tags: record.tags,
    domains: record.topic_ids,
    owner: isDatamap ? datamap.assigned.to : null,
    rating: record.average_rating === 0 ? null : record.average_rating,
    isFavourite: activity.is_favourite === true,
    score: record.score,
    updatedMs: record.updated_ts,
    state: isDatamap ? STATES[datamap.state] : undefined,
  };
}

/** Returns the score of a title as the search of datamaps and tables gives it: exact, begins with the words, has them, has them elsewhere. */
function scoreOfTitle(title: string, searchText: string): number {
  if (searchText === '') return 0;
  if (title === searchText) return 1;
  if (title.startsWith(searchText)) return 0.9;
  return searchText.split(/\s+/).every((word) => title.includes(word)) ? 0.8 : 0.5;
}

/** Returns the hit of a marketplace item, whose search does not score. */
export function hitOfItem(item: MarketplaceItem, searchText: string): SearchHit {
  const score = scoreOfTitle(item.title.toLowerCase(), searchText.toLowerCase().trim());
  return {
    key: `ITEM ${item.id}`,
    kind: 'item',
    title: item.title,
    path: itemPath(item.id),
    location: [],
    description: item.description,
    tags: item.tags,
    domains: item.domains,
    owner: item.owner,
    rating: item.rating,
    isFavourite: false,
    score,
    updatedMs: item.updated_ts,
    state: item.is_granted ? 'granted' : undefined,
  };
}

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
