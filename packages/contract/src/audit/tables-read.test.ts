import { describe, expect, it } from '@jest/globals';
import { tablesReadMetadata } from './tables-read.ts';

const table = (name: string) => ({ catalog: 'demo', schema: 'vega', name });

describe('the tables of a record', () => {
  it('are full names as in the catalog, sorted and without repeats', () => {
    expect(tablesReadMetadata(['b', 'odd.name', 'a', 'b'].map(table))).toEqual({
      tables_read: ['demo.vega."odd.name"', 'demo.vega.a', 'demo.vega.b'],
    });
    expect(tablesReadMetadata([])).toEqual({ tables_read: [] });
  });

  it('are null if the engine could not tell', () => {
    expect(tablesReadMetadata(undefined)).toEqual({ tables_read: null });
  });

  it('are the first 1,000 of more, which the record says', () => {
    const names = Array.from({ length: 1_001 }, (_, index) => `t${String(index).padStart(4, '0')}`);
    expect(tablesReadMetadata(names.slice(1).map(table))).not.toHaveProperty('tables_read_limited');
    const cut = tablesReadMetadata(names.map(table));
    expect(cut).toMatchObject({ tables_read_limited: true });
    expect(cut.tables_read?.length).toBe(1_000);
    expect(cut.tables_read?.at(-1)).toBe('demo.vega.t0999');
  });
});
