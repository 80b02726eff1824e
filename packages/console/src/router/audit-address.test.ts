import { describe, expect, it } from '@jest/globals';
import {
  auditPath,
  countFilters,
  filterOf,
  NO_AUDIT_SEARCH,
  PAGE_LOADS,
  RANGE_MS,
  readAuditSearch,
} from './audit-address.ts';

const ID = '3315b0a7-5c55-4002-b435-242f14f36149';
const queryOf = (path: string): string => path.slice(path.indexOf('?'));

describe('the address of a search', () => {
  it('has everything that the search has', () => {
    const search = {
      user: 'Ann+b@acme.example',
      actions: ['RUN_QUERY', 'DOWNLOAD_QUERY'],
      reads: 'demo.vega."flights 2k"',
      text: 'select 1, é',
      target: 'a/b?c=1&d #%',
      requestId: 'r 1',
      queryId: ID,
      hasPageLoads: true,
      range: 'custom',
      start: 1,
      end: 1_795_457_446_186,
      position: { direction: 'newer', timestamp: 1_795_457_446_186, id: ID },
    } as const;
    expect(readAuditSearch(queryOf(auditPath(search)))).toEqual(search);
    expect(countFilters(readAuditSearch(queryOf(auditPath(search))))).toBeGreaterThan(0);
  });

  it('is short without a filter', () => {
    expect(auditPath(NO_AUDIT_SEARCH)).toBe('/audit');
    expect(auditPath(NO_AUDIT_SEARCH, 'live')).toBe('/audit?view=live');
    expect(countFilters(readAuditSearch(''))).toBe(0);
  });

  it.each([
    ['?range=century', 'all'],
    ['?range=day&start=5', 'day'],
  ])('ignores what is not valid: %s', (query, range) => {
    expect(readAuditSearch(query)).toEqual({ ...NO_AUDIT_SEARCH, range });
  });

  it.each([
    'at=older',
    `at=sideways~5~${ID}`,
    `at=older~1e3~${ID}`,
    'at=older~5~x',
    'start=-1&range=custom',
    'user=%00',
    'action=run,,%3Cb%3E',
    'loads=1',
  ])('ignores a part that is not valid: %s', (query) => {
    const { range, ...rest } = readAuditSearch(`?${query}`);
    expect({ ...rest, range: 'all' }).toEqual(NO_AUDIT_SEARCH);
  });
});

describe('the filter of a search', () => {
  it('begins a span before now', () => {
    expect(filterOf({ ...NO_AUDIT_SEARCH, hasPageLoads: true, range: 'day' }, RANGE_MS.week)).toEqual({
      start: RANGE_MS.week - RANGE_MS.day,
    });
  });

  it('has the names of the interface, and no member without a value', () => {
    const filter = filterOf({ ...NO_AUDIT_SEARCH, user: 'ann', queryId: ID, range: 'custom', end: 9 }, 0);
    expect(filter).toEqual({ advance_options: { user_name: 'ann', query_id: ID }, end: 9 });
    expect(filterOf({ ...NO_AUDIT_SEARCH, hasPageLoads: true }, 5)).toEqual({});
  });

  it('leaves page loads out, unless they, an action, a query or a request are wanted', () => {
    const excluded = (search: object) =>
      filterOf({ ...NO_AUDIT_SEARCH, ...search }, 5).advance_options?.['exclude_actions'];
    expect(excluded({})).toEqual(PAGE_LOADS);
    expect(excluded({ user: 'ann', text: 'a' })).toEqual(PAGE_LOADS);
    for (const search of [
      { hasPageLoads: true },
      { actions: ['READ_CATALOG'] },
      { reads: 'demo.' },
      { queryId: ID },
      { requestId: 'r' },
    ])
      expect(excluded(search)).toBeUndefined();
  });
});
