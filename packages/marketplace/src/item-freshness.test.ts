import { describe, expect, it } from '@jest/globals';
import type { CatalogFile } from '@sluice/contract';
import type { ReadTables } from '@sluice/store/marketplace';
import { presentFreshness } from './item-freshness.ts';

const tables = (names: readonly string[] | null, change: Partial<ReadTables> = {}): ReadTables => ({
  names,
  known: names?.length ?? 0,
  missing: 0,
  seenTs: 7,
  ...change,
});
const file = (view: string | null, modified_ts: number): CatalogFile =>
  ({ view, modified_ts }) as unknown as CatalogFile;

describe('the freshness of an item', () => {
  it('is the time at which all of its tables were seen, and nothing about their data', () => {
    expect(presentFreshness(tables(['shop.main.a', 'shop.main.b']), undefined)).toEqual({
      tables_seen_ts: 7,
      missing_table_count: 0,
      data_changed_ts: null,
    });
  });

  it.each([
    ['a datamap does not say what it reads', tables(null)],
    ['a table was never harvested', tables(['shop.main.a', 'shop.main.b'], { known: 1 })],
    ['no table is read', tables([])],
  ])('is not known if %s', (_case, read) => {
    expect(presentFreshness(read, [])).toMatchObject({ tables_seen_ts: null, data_changed_ts: null });
  });

  it('counts the tables that are missing', () => {
    expect(presentFreshness(tables(['shop.main.a'], { missing: 1 }), [])).toMatchObject({ missing_table_count: 1 });
  });

  it('is the last change of the files, if only files are read', () => {
    const files = [file('files.main.a', 10), file('files.main.a', 30), file('files.main."b c"', 20), file(null, 99)];
    const changed = (...names: string[]) => presentFreshness(tables(names), files).data_changed_ts;
    expect(changed('files.main.a', 'files.main.b c')).toBe(30);
    expect(changed('files.main.b c')).toBe(20);
    expect(changed('files.main.a', 'shop.main.a')).toBeNull();
    expect(changed('files.main.gone')).toBeNull();
  });
});
