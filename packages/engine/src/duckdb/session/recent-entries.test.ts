import { expect, it } from '@jest/globals';
import { RecentEntries } from './recent-entries.ts';

it('RecentEntries drops the least recently used entry when it is full, and each entry once', () => {
  const dropped: string[] = [];
  const entries = new RecentEntries<string>(2, (value) => dropped.push(value));
  entries.add('a', 'A');
  entries.add('b', 'B');
  expect(entries.get('a')).toBe('A');
  entries.add('c', 'C');
  expect(dropped).toEqual(['B']);
  expect([entries.get('a'), entries.get('b'), entries.get('c'), entries.size]).toEqual(['A', undefined, 'C', 2]);
  entries.clear();
  entries.clear();
  expect([dropped, entries.size]).toEqual([['B', 'A', 'C'], 0]);
});
