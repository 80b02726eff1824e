import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RowStore } from '../result/row-store.ts';
import { CATEGORIES_MAX } from './bar-chart.ts';
import { CHART_KINDS, chooseChart, columnsFor } from './chart-kinds.ts';
import { BINS, summarizeColumn } from './column-summary.ts';
import { plotNumber } from './plot-number.ts';

const noPause = () => undefined;
function viewOf(types: readonly string[], rows: readonly (readonly string[])[]) {
  const store = new RowStore(types.map((type, index) => ({ name: `c${index}`, type })));
  store.append(rows);
  return store.view('complete');
}
const summary = (type: string, ...texts: string[]) =>
  summarizeColumn(
    viewOf(
      [type],
      texts.map((text) => [text]),
    ),
    0,
    noPause,
  );

describe('summarizeColumn', () => {
  it('counts NULL and different values, and finds the ends with all digits', async () => {
    const found = await summary('bigint', '9007199254740993', '9007199254740992', 'null', '-1', '-1');
    expect(found).toMatchObject({
      rows: 5,
      nulls: 1,
      distinct: 3,
      isDistinctExact: true,
      min: '-1',
      max: '9007199254740993',
    });
    expect(found.top[0]).toEqual({ json: '-1', count: 2 });
  });

  it('has every value with a number in its histogram', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), fc.constant(null))),
        async (values) => {
          const { histogram, nulls } = await summary('double', ...values.map(String));
          const counted = histogram.reduce((sum, { count }) => sum + count, 0);
          expect(counted).toBe(values.length - nulls);
          expect(histogram.length).toBeLessThanOrEqual(BINS);
        },
      ),
    );
  });

  it('orders strings and times, and no nested values', async () => {
    expect(await summary('varchar', '"b"', '""', '"a"')).toMatchObject({ min: '""', max: '"b"', histogram: [] });
    expect(await summary('date', '"2026-03-29"', '"-0043-03-15"')).toMatchObject({ min: '"-0043-03-15"' });
    expect(await summary('array(integer)', '[1]', '[1]')).toMatchObject({
      min: undefined,
      max: undefined,
      distinct: 1,
    });
    expect(await summary('integer', 'null')).toMatchObject({ nulls: 1, distinct: 0, min: undefined, histogram: [] });
  });

  it('draws no histogram over infinity', async () => {
    expect(await summary('double', '1', '"Infinity"')).toMatchObject({ max: '"Infinity"', histogram: [] });
  });
});

describe('plotNumber', () => {
  it.each([
    ['number', '250.00', 250],
    ['number', '"NaN"', undefined],
    ['number', 'null', undefined],
    ['date', '"2026-03-29"', Date.UTC(2026, 2, 29)],
    ['timestamp', '"2026-03-29 12:30:00.500000"', Date.UTC(2026, 2, 29, 12, 30, 0, 500)],
    ['timestampWithZone', '"2026-03-29 12:30:00.500000 UTC"', Date.UTC(2026, 2, 29, 12, 30, 0, 500)],
    ['timestampWithZone', '"2026-03-29 12:30:00 +05:30"', Date.UTC(2026, 2, 29, 7, 0, 0)],
    ['text', '"1"', undefined],
  ] as const)('%s %s', (kind, json, expected) => expect(plotNumber(kind, json)).toBe(expected));
});

describe('chooseChart', () => {
  const choose = (...columns: (readonly [string, string])[]) =>
    chooseChart(columns.map(([name, type]) => ({ name, type })));

  it.each([
    [
      'a line over time',
      [
        ['day', 'date'],
        ['sales', 'double'],
      ],
      { kind: 'line', x: 0, y: 1 },
    ],
    [
      'bars by category',
      [
        ['id', 'bigint'],
        ['carrier', 'varchar'],
        ['flights', 'bigint'],
      ],
      { kind: 'bar', x: 1, y: 2 },
    ],
    [
      'a scatter of two numbers',
      [
        ['a', 'double'],
        ['b', 'double'],
      ],
      { kind: 'scatter', x: 0, y: 1 },
    ],
    ['the counts of one number', [['a', 'double']], { kind: 'bar', x: 0, y: undefined }],
    [
      'the counts of a category',
      [
        ['a', 'varchar'],
        ['b', 'array(integer)'],
      ],
      { kind: 'bar', x: 0, y: undefined },
    ],
  ] as const)('is %s', (_name, columns, expected) => expect(choose(...columns)).toEqual(expected));

  it('is nothing for nested values alone', () => expect(choose(['a', 'array(integer)'])).toBeUndefined());

  it('offers the columns that an axis can show', () => {
    const columns = ['varchar', 'double', 'date', 'json'].map((type) => ({ name: type, type }));
    expect(columnsFor('bar', 'x', columns)).toEqual([0, 1, 2]);
    expect(columnsFor('line', 'x', columns)).toEqual([1, 2]);
    expect(columnsFor('line', 'y', columns)).toEqual([1]);
  });
});

describe('a kind of chart', () => {
  it('orders a line by time, and leaves out what has no place', async () => {
    const view = viewOf(
      ['date', 'integer'],
      [
        ['"2026-01-02"', '2'],
        ['"2026-01-01"', '1'],
        ['null', '3'],
        ['"2026-01-03"', 'null'],
      ],
    );
    const { points, rows } = await CHART_KINDS.line.collect(view, { x: 0, y: 1 }, noPause);
    expect([points.map(({ y }) => y), rows]).toEqual([[1, 2], 4]);
  });

  it('adds up categories, shows the largest, and says how many it hides', async () => {
    const rows = Array.from({ length: CATEGORIES_MAX + 10 }, (_, index) => [`"c${index}"`, String(index)]);
    const view = viewOf(['varchar', 'integer'], [...rows, ['"c1"', '1000'], ['null', '500']]);
    const data = await CHART_KINDS.bar.collect(view, { x: 0, y: 1 }, noPause);
    expect(data.points.slice(0, 2)).toEqual([
      { x: 'c1', y: 1001 },
      { x: undefined, y: 500 },
    ]);
    expect(data.hiddenCategories).toBe(11);
  });
});
