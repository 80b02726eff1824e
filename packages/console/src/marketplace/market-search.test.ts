import { describe, expect, it } from '@jest/globals';
import { marketPath, readMarketSearch, withFilter } from './market-search.ts';

const NONE = { searchText: '', tag: undefined, domain: undefined, owner: undefined, from: 0 };

describe('the search of the marketplace', () => {
  it.each([
    ['', NONE],
    ['?q=a+b&tag=x%26y&from=24', { ...NONE, searchText: 'a b', tag: 'x&y', from: 24 }],
    ['?from=-1&owner=', NONE],
    ['?from=1e99', NONE],
    ['?from=NaN&q=%00%F0', { ...NONE, searchText: '\ufffd' }],
  ])('reads %s', (query, expected) => {
    expect(readMarketSearch(query)).toEqual(expected);
  });

  it('reads what it writes', () => {
    const search = { searchText: `"><script>`, tag: 'ä&?#', domain: 'd', owner: 'o@x', from: 48 };
    expect(readMarketSearch(marketPath(search).slice('/marketplace'.length))).toEqual(search);
  });

  it('starts from the first item after a filter has changed', () => {
    expect(marketPath(withFilter({ ...NONE, tag: 'a', from: 24 }, 'tag', undefined))).toBe('/marketplace');
  });

  it('keeps the words within the limit of the host', () => {
    expect([...readMarketSearch(`?q=${'😀'.repeat(2_000)}`).searchText]).toHaveLength(1_000);
  });
});
