import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CHUNK_ROWS, RowStore } from './row-store.ts';

const columnsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `c${index}`, type: 'varchar' }));

function rowsOf(store: RowStore): string[][] {
  return Array.from({ length: store.loadedRows }, (_, row) =>
    store.columns.map((_column, column) => store.cell(row, column)),
  );
}

describe('RowStore', () => {
  it('returns each value as it arrived, whatever the sizes of the batches', () => {
    const cell = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('null', '""', '250.00'));
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((width) => fc.array(fc.array(fc.array(cell, { minLength: width, maxLength: width })), { minLength: 1 }));
    fc.assert(
      fc.property(table, (batches) => {
        const rows = batches.flat();
        const store = new RowStore(columnsOf(rows[0]?.length ?? 1));
        for (const batch of batches) store.append(batch);
        expect(rowsOf(store)).toEqual(rows);
        expect(store.receivedRows).toBe(rows.length);
      }),
    );
  });

  it('finds rows in every chunk', () => {
    const store = new RowStore(columnsOf(2));
    const count = CHUNK_ROWS * 3 + 5;
    for (let row = 0; row < count; row += 1) store.append([[`${row}`, `"é${row * 7}"`]]);
    for (const row of [0, 1, CHUNK_ROWS - 1, CHUNK_ROWS, CHUNK_ROWS * 2 + 17, CHUNK_ROWS * 3, count - 1]) {
      expect(store.cell(row, 0)).toBe(`${row}`);
      expect(store.cell(row, 1)).toBe(`"é${row * 7}"`);
    }
  });

  it('keeps the first rows and counts the others when its memory is used up', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { minLength: 1, maxLength: 200 }),
        fc.integer({ min: 0, max: 3000 }),
        (strings, maxBytes) => {
          const store = new RowStore(columnsOf(1), maxBytes);
          for (const text of strings) store.append([[text]]);
          expect(store.receivedRows).toBe(strings.length);
          expect(store.keptBytes).toBeLessThanOrEqual(maxBytes);
          expect(rowsOf(store).flat()).toEqual(strings.slice(0, store.loadedRows));
        },
      ),
    );
  });

  it('uses its memory for text of one byte a character', () => {
    const store = new RowStore(columnsOf(1), 104 * 10);
    for (let row = 0; row < 20; row += 1) store.append([['a'.repeat(100)]]);
    expect(store.loadedRows).toBeGreaterThanOrEqual(9);
  });

  it('keeps nothing after a row that does not fit, even if later rows would', () => {
    const store = new RowStore(columnsOf(1), 100);
    store.append([['a'], ['b'.repeat(500)], ['c']]);
    expect(rowsOf(store)).toEqual([['a']]);
    expect(store.receivedRows).toBe(3);
  });

  it('counts the bytes of its text in UTF-8, in closed chunks and in the open one', () => {
    const store = new RowStore(columnsOf(2));
    const row = (index: number): string[] => [`"${'é'.repeat(index % 7)}"`, `"😀${index}"`];
    const rows = Array.from({ length: CHUNK_ROWS * 2 + 7 }, (_, index) => row(index));
    store.append(rows);
    expect(store.textBytes).toBe(Buffer.byteLength(rows.flat().join('')));
    store.release();
    expect(store.textBytes).toBe(0);
  });

  it('counts rows without columns', () => {
    const store = new RowStore([]);
    store.append([[], []]);
    expect([store.receivedRows, store.loadedRows]).toEqual([2, 2]);
  });

  it('rejects a row of another width, and rows or columns that are not there', () => {
    const store = new RowStore(columnsOf(2));
    expect(() => store.append([['a']])).toThrow(RangeError);
    store.append([['a', 'b']]);
    for (const [row, column] of [
      [1, 0],
      [-1, 0],
      [0, 2],
      [0, -1],
      [Number.NaN, 0],
    ] as const)
      expect(() => store.cell(row, column)).toThrow(RangeError);
  });

  it('has views that do not change when more rows arrive', () => {
    const store = new RowStore(columnsOf(1));
    store.append([['1']]);
    const view = store.view('streaming');
    store.append([['2']]);
    expect([view.loadedRows, view.receivedRows, view.cell(0, 0)]).toEqual([1, 1, '1']);
    expect(() => view.cell(1, 0)).toThrow(RangeError);
    expect(store.view('complete').loadedRows).toBe(2);
  });
});
