import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { orderRows, type RowSelection } from './row-order.ts';
import { RowStore } from './row-store.ts';

const noPause = () => undefined;
const viewOf = (types: readonly string[], rows: readonly (readonly string[])[]) => {
  const store = new RowStore(types.map((type, index) => ({ name: `c${index}`, type })));
  store.append(rows);
  return store.view('complete');
};
const order = async (
  types: readonly string[],
  rows: readonly (readonly string[])[],
  selection: Partial<RowSelection>,
) => [...(await orderRows(viewOf(types, rows), { sort: undefined, filters: [], search: '', ...selection }, noPause))];
const column = (...texts: string[]) => texts.map((text) => [text]);

describe('orderRows', () => {
  it('sorts by value, keeps equal rows in their order, and puts NULL last in both directions', async () => {
    const value = fc.oneof(fc.bigInt({ min: -99n, max: 99n }), fc.constant(null));
    await fc.assert(
      fc.asyncProperty(
        fc.array(value),
        fc.constantFrom('ascending' as const, 'descending' as const),
        async (values, direction) => {
          const sign = direction === 'ascending' ? 1 : -1;
          const expected = values
            .map((each, index) => ({ each, index }))
            .sort((a, b) => {
              if (a.each === null || b.each === null) return Number(a.each === null) - Number(b.each === null);
              return sign * Number(a.each - b.each);
            })
            .map(({ index }) => index);
          const rows = column(...values.map((each) => String(each)));
          expect(await order(['bigint'], rows, { sort: { column: 0, direction } })).toEqual(expected);
        },
      ),
    );
  });

  it('sorts more rows than it handles between two pauses, and pauses', async () => {
    const rows = Array.from({ length: 3000 }, (_, index) => [String((index * 7919) % 3000)]);
    let pauses = 0;
    const sort = { column: 0, direction: 'ascending' } as const;
    const sorted = await orderRows(viewOf(['integer'], rows), { sort, filters: [], search: '' }, async () => {
      pauses += 1;
    });
    expect([...sorted].map((row) => Number(rows[row]?.[0]))).toEqual(Array.from({ length: 3000 }, (_, index) => index));
    expect(pauses).toBeGreaterThan(20);
  });

  it('stops when the pause rejects', async () => {
    const stop = () => Promise.reject(new Error('Another search has begun.'));
    await expect(
      orderRows(viewOf(['integer'], column('1')), { sort: undefined, filters: [], search: '1' }, stop),
    ).rejects.toThrow('Another search has begun.');
  });

  it('rejects an order of values that have none here', async () => {
    const sort = { column: 0, direction: 'ascending' } as const;
    await expect(order(['array(integer)'], column('[1]'), { sort })).rejects.toThrow(TypeError);
  });

  it.each([
    ['equals', '2', [1, 4]],
    ['differs', '2', [0, 2]],
    ['less', '2.5', [0, 1, 4]],
    ['atMost', '1', [0]],
    ['greater', '2', [2]],
    ['atLeast', '2', [1, 2, 4]],
    ['isNull', '', [3]],
    ['isNotNull', '', [0, 1, 2, 4]],
    ['contains', '0', [1, 2]],
  ] as const)('filters numbers that are %s %s by their value', async (operator, value, expected) => {
    const rows = column('1', '2.00', '10', 'null', '2');
    expect(await order(['decimal(20,2)'], rows, { filters: [{ column: 0, operator, value }] })).toEqual(expected);
  });

  it('searches all columns without regard to case, and finds no NULL', async () => {
    const rows = [
      ['"Berlin"', '1'],
      ['"hamburg"', '2'],
      ['null', 'null'],
      ['"x \\"BER\\""', '3'],
    ];
    expect(await order(['varchar', 'integer'], rows, { search: 'ber' })).toEqual([0, 3]);
    expect(await order(['varchar', 'integer'], rows, { search: 'null' })).toEqual([]);
    expect(await order(['varchar', 'integer'], rows, { search: '"ber"' })).toEqual([3]);
  });

  it('combines filters, a search and an order', async () => {
    const rows = [
      ['"b"', '3'],
      ['"ab"', '2'],
      ['"b"', '1'],
      ['"c"', '0'],
    ];
    expect(
      await order(['varchar', 'integer'], rows, {
        sort: { column: 1, direction: 'ascending' },
        filters: [{ column: 1, operator: 'less', value: '3' }],
        search: 'b',
      }),
    ).toEqual([2, 1]);
  });
});
