import { describe, expect, it } from '@jest/globals';
import { RowStore } from '../result/row-store.ts';
import { COLUMN_WIDTH_MAX, COLUMN_WIDTH_MIN, columnStarts, fitColumns, resizeColumn } from './column-layout.ts';

const SIZES = { character: 8, headerCharacter: 7, padding: 10 };
function widthsOf(
  columns: readonly { name: string; type: string }[],
  ...rows: readonly (readonly string[])[]
): number[] {
  const store = new RowStore(columns);
  store.append(rows);
  return fitColumns(store.view('streaming'), SIZES);
}

describe('the widths of columns', () => {
  it('fit the longest of name, type and first values', () => {
    expect(widthsOf([{ name: 'a', type: 'integer' }], ['1'])).toEqual([7 * 7 + 22]);
    expect(widthsOf([{ name: 'a', type: 'integer' }], ['1'], ['1234567890'])).toEqual([102]);
    expect(widthsOf([{ name: 'a_rather_long_name', type: 'integer' }])).toEqual([18 * 7 + 22]);
  });

  it('fit a name of wide letters where they can be measured', () => {
    const store = new RowStore([{ name: 'mmm', type: 'date' }]);
    expect(fitColumns(store.view('streaming'), { ...SIZES, measureName: (name) => 20 * name.length })).toEqual([82]);
  });

  it('do not count the quotes of a string, and count wide characters twice', () => {
    expect(widthsOf([{ name: 'a', type: 'x' }], ['"1234567890"'])).toEqual([102]);
    expect(widthsOf([{ name: 'a', type: 'x' }], ['"日本語日本"'])).toEqual([102]);
  });

  it('stay within their limits for short, long and hostile strings', () => {
    expect(widthsOf([{ name: '', type: '' }], ['1'])).toEqual([COLUMN_WIDTH_MIN]);
    expect(widthsOf([{ name: 'n'.repeat(1000), type: 't' }], [`"${'x'.repeat(1_000_000)}"`])).toEqual([340]);
  });

  it('change by hand within their limits', () => {
    expect(resizeColumn([100, 100], 1, 10)).toEqual([100, COLUMN_WIDTH_MIN]);
    expect(resizeColumn([100, 100], 0, 1e9)).toEqual([COLUMN_WIDTH_MAX, 100]);
    expect(resizeColumn([100, 100], 7, 120)).toEqual([100, 100]);
  });

  it('add up to edges', () => {
    expect([...columnStarts([100, 50, 200])]).toEqual([0, 100, 150, 350]);
    expect([...columnStarts([])]).toEqual([0]);
  });
});
