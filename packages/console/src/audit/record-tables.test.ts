import { describe, expect, it } from '@jest/globals';
import { SHOWN_TABLES, tablesOf } from './record-tables.ts';

const tables = (metadata: Record<string, unknown>, action = 'RUN_QUERY') =>
  tablesOf({ action, target: 'demo.vega.cars', metadata });

describe('the tables of a record', () => {
  it('are those that its statement read', () => {
    expect(tables({ tables_read: ['a.b.c'] })).toEqual({ shown: ['a.b.c'], count: 1, isAtLeast: false });
    expect(tables({ tables_read: [] })).toEqual({ shown: [], count: 0, isAtLeast: false });
  });

  it('are not known if the statement was not planned, and not named by an older record', () => {
    expect(tables({ tables_read: null })).toBe('unknown');
    expect(tables({})).toBeUndefined();
    expect(tables({ tables_read: 'a.b.c' })).toBeUndefined();
  });

  it('are the first of many, with their number', () => {
    const names = Array.from({ length: 1000 }, (_, at) => `a.b.t${at}`);
    expect(tables({ tables_read: names, tables_read_limited: true })).toEqual({
      shown: names.slice(0, SHOWN_TABLES),
      count: 1000,
      isAtLeast: true,
    });
  });

  it('are the table whose description was read', () => {
    expect(tables({ table: 'cars' }, 'READ_CATALOG')).toEqual({
      shown: ['demo.vega.cars'],
      count: 1,
      isAtLeast: false,
    });
    expect(tables({ schema: 'vega' }, 'READ_CATALOG')).toBeUndefined();
  });
});
