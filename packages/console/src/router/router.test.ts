import { describe, expect, it } from '@jest/globals';
import { matchPath, pathBelowBase } from './router.ts';

describe('pathBelowBase', () => {
  it.each([
    ['/console', '/'],
    ['/console/', '/'],
    ['/console/search/', '/search'],
    ['/console/tables/a%2Fb', '/tables/a%2Fb'],
  ])('returns for %s the path %s', (pathname, expected) => {
    expect(pathBelowBase(pathname)).toBe(expected);
  });
});

describe('matchPath', () => {
  it('returns the decoded parameters, which may contain slashes', () => {
    expect(matchPath('/tables/:catalog/:table', '/tables/demo/a%2Fb%22')).toEqual({ catalog: 'demo', table: 'a/b"' });
  });

  it.each([
    ['/tables/:catalog', '/tables'],
    ['/tables/:catalog', '/tables/a/b'],
    ['/tables/:catalog', '/tables/%E0%A4%A'],
    ['/search', '/'],
  ])('returns nothing for %s and %s', (pattern, path) => {
    expect(matchPath(pattern, path)).toBeUndefined();
  });
});
