import { describe, expect, it } from '@jest/globals';
import { catalogPath, itemPath } from './object-paths.ts';
import { matchPath, pathBelowBase } from './router.ts';

const PATTERN = '/tables/:catalog/:schema/:table';
const NAMES = [
  'airports',
  'a.b',
  'say "hi"',
  'a/b',
  '100%',
  '%2F',
  'a b',
  'ä😀',
  '?q=1#x',
  '\u202e',
  '...',
  "it's",
  '\\',
];

describe('the address of a table', () => {
  it.each(NAMES)('leads to its names as the engine writes them: %j', (name) => {
    const { pathname } = new URL(`https://h.example/console${catalogPath('odd name', name, name)}`);
    expect(matchPath(PATTERN, pathBelowBase(pathname))).toEqual({ catalog: 'odd name', schema: name, table: name });
  });

  it.each(['.', '..', '', '\ud800'])('does not exist for %j', (name) => {
    expect(catalogPath('demo', 'vega', name)).toBeUndefined();
  });
});

describe('the address of a marketplace item', () => {
  it('has the id as one segment', () => {
    expect(itemPath('a/../b')).toBe('/marketplace/a%2F..%2Fb');
  });
});
