import { describe, expect, it } from '@jest/globals';
import { NO_SEARCH, readSearchAddress, SEARCH_CHARACTERS_MAX, searchPath } from './search-address.ts';

const roundTrip = (path: string) => readSearchAddress(path.slice(path.indexOf('?')));

describe('the address of a search', () => {
  it.each(['flights', 'a&b=c#d', '100 % "quoted"', 'Straße 😀', '<script>x</script>', '+ +'])(
    'holds the words %s',
    (searchText) => {
      const address = { searchText, kind: 'table' as const, tag: `tag ${searchText}`, domain: searchText };
      expect(roundTrip(searchPath(address))).toEqual(address);
    },
  );

  it('is short without a search', () => {
    expect(searchPath(NO_SEARCH)).toBe('/search');
    expect(readSearchAddress('')).toEqual(NO_SEARCH);
  });

  it('holds the drafts of the user', () => {
    expect(roundTrip(searchPath({ kind: 'draft' }))).toEqual({ ...NO_SEARCH, kind: 'draft' });
  });

  it('ignores an unknown kind, and cuts words that no request may have', () => {
    expect(readSearchAddress('?kind=__proto__&q=a')).toEqual({ ...NO_SEARCH, searchText: 'a' });
    expect(readSearchAddress(`?q=${'x'.repeat(5000)}`).searchText).toHaveLength(SEARCH_CHARACTERS_MAX);
  });
});
