import { describe, expect, it } from '@jest/globals';
import { combineHits, countFacet, hitOfItem, type SearchHit } from './search-hit.ts';

const hit = (key: string, changes: Partial<SearchHit> = {}): SearchHit => ({
  ...{ key, kind: 'table', title: key, path: `/tables/${key}`, location: [], description: null, tags: [], domains: [] },
  ...{ owner: null, rating: null, isFavourite: false, score: 0, updatedMs: 0, state: undefined },
  ...changes,
});
const keys = (hits: readonly SearchHit[]): string[] => hits.map(({ key }) => key);

describe('combineHits', () => {
  it('sorts each round by relevance, then by the last change, and never moves what was shown', () => {
    const tables = [[hit('a', { score: 0.5 }), hit('b', { score: 0.5, updatedMs: 9 })], [hit('c', { score: 1 })]];
    const items = [[hit('d', { score: 0.9 })]];
    expect(keys(combineHits([tables, items]))).toEqual(['d', 'b', 'a', 'c']);
    expect(keys(combineHits([tables.slice(0, 1), items]))).toEqual(['d', 'b', 'a']);
  });

  it('lists an object once that two pages have', () => {
    expect(keys(combineHits([[[hit('a')], [hit('a'), hit('b')]]]))).toEqual(['a', 'b']);
    expect(combineHits([])).toEqual([]);
  });
});

describe('hitOfItem', () => {
  const scoreOf = (title: string, searchText: string): number =>
    hitOfItem({ id: title, title, description: null, tags: [], domains: [] } as never, searchText).score;

  it('scores a title as the search of tables scores a name', () => {
    expect(scoreOf('Flights', ' flights')).toBe(1);
    expect(scoreOf('Flights by origin', 'flights')).toBe(0.9);
    expect(scoreOf('All flights by origin', 'origin flights')).toBe(0.8);
    expect(scoreOf('Weather', 'flights')).toBe(0.5);
    expect(scoreOf('Weather', '')).toBe(0);
  });

  it('puts the table flights before the items and tables that only begin with the word or contain it', () => {
    const items = ['Flights by origin', 'Flight pack'].map((title) =>
      hit(title, { score: scoreOf(title, 'flights'), updatedMs: 9 }),
    );
    const tables = [hit('flights', { score: 1 }), hit('flights_2k', { score: 0.9, updatedMs: 8 })];
    expect(keys(combineHits([[items], [tables]]))).toEqual([
      'flights',
      'Flights by origin',
      'flights_2k',
      'Flight pack',
    ]);
  });
});

describe('countFacet', () => {
  const hits = [
    hit('a', { tags: ['x', 'x', '__proto__'] }),
    hit('b', { tags: ['x', 'y'] }),
    hit('c', { tags: ['y', 'z'] }),
  ];
  const tags = (max: number, selected?: string) => countFacet(hits, (each) => each.tags, { max, selected });

  it('counts hits, not values, and sorts equal counts by name', () => {
    expect(tags(3)).toEqual([
      { value: 'x', count: 2 },
      { value: 'y', count: 2 },
      { value: '__proto__', count: 1 },
    ]);
  });

  it('keeps the selected value, even if no hit has it', () => {
    expect(tags(2, 'z').map(({ value }) => value)).toEqual(['x', 'z']);
    expect(tags(2, 'none')).toContainEqual({ value: 'none', count: 0 });
  });
});
