import { describe, expect, it } from '@jest/globals';
import { groupByFolder, isQueryName, nameInFolder } from './query-name.ts';

const compare = (one: string, other: string): number => one.localeCompare(other, 'en');

describe('the name of a saved query', () => {
  it.each(['weekly', 'reports/weekly', 'a/b/c', 'Umsätze 2026', '...', 'a..b'])('may be %j', (name) => {
    expect(isQueryName(name)).toBe(true);
  });

  it.each(['', ' ', '/', '/weekly', 'reports/', 'a//b', '..', '../weekly', 'a/../b', 'a/ . /b'])(
    'must not be %j',
    (name) => {
      expect(isQueryName(name)).toBe(false);
    },
  );

  it('is shown without its folders', () => {
    expect([nameInFolder('weekly'), nameInFolder('a/b/weekly')]).toEqual(['weekly', 'weekly']);
  });
});

describe('groupByFolder', () => {
  it('sorts folders and the queries in them, those without a folder first', () => {
    const names = ['reports/z', 'plain', 'admin/x', 'reports/a', 'reports/deep/b', 'another'];
    const groups = groupByFolder(
      names.map((name) => ({ name })),
      compare,
    );
    expect(groups.map(({ folder, queries }) => [folder, queries.map(({ name }) => name)])).toEqual([
      ['', ['another', 'plain']],
      ['admin', ['admin/x']],
      ['reports', ['reports/a', 'reports/z']],
      ['reports/deep', ['reports/deep/b']],
    ]);
  });
});
