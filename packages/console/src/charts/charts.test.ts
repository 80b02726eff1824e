import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { orderedView } from '../result/ordered-view.ts';
import { RowStore } from '../result/row-store.ts';
import { CATEGORIES_MAX, wrapName } from './bar-chart.ts';
import type { ChartAxes } from './chart-kind.ts';
import { CHART_KINDS, chooseChart, columnsFor, withKind, withMeasures } from './chart-kinds.ts';
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
      { kind: 'line', x: 0, measures: [1], aggregate: undefined },
    ],
    [
      'bars by category',
      [
        ['id', 'bigint'],
        ['carrier', 'varchar'],
        ['flights', 'bigint'],
      ],
      { kind: 'bar', x: 1, measures: [2], aggregate: 'sum' },
    ],
    [
      'a scatter of two numbers',
      [
        ['a', 'double'],
        ['b', 'double'],
      ],
      { kind: 'scatter', x: 0, measures: [1], aggregate: undefined },
    ],
    ['the counts of one number', [['a', 'double']], { kind: 'bar', x: 0, measures: [], aggregate: 'count' }],
    [
      'the counts of a category',
      [
        ['a', 'varchar'],
        ['b', 'array(integer)'],
      ],
      { kind: 'bar', x: 0, measures: [], aggregate: 'count' },
    ],
  ] as const)('is %s', (_name, columns, expected) =>
    expect(choose(...columns)).toEqual({ ...expected, series: undefined }),
  );

  it('is nothing for nested values alone', () => expect(choose(['a', 'array(integer)'])).toBeUndefined());

  it('offers the columns that an axis can show', () => {
    const columns = ['varchar', 'double', 'date', 'json'].map((type) => ({ name: type, type }));
    expect(columnsFor('bar', 'x', columns)).toEqual([0, 1, 2]);
    expect(columnsFor('line', 'x', columns)).toEqual([1, 2]);
    expect(columnsFor('line', 'y', columns)).toEqual([1]);
  });
});

const axes = (x: number, measures: readonly number[], more: Partial<ChartAxes> = {}): ChartAxes => ({
  x,
  measures,
  series: undefined,
  aggregate: measures.length === 0 ? 'count' : 'sum',
  ...more,
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
    const { points, rows } = await CHART_KINDS.line.collect(view, axes(0, [1], { aggregate: undefined }), noPause);
    expect([points.map(({ y }) => y), rows]).toEqual([[1, 2], 4]);
  });

  it('adds up categories, shows the largest, and says how many it hides', async () => {
    const rows = Array.from({ length: CATEGORIES_MAX + 10 }, (_, index) => [`"c${index}"`, String(index)]);
    const view = viewOf(['varchar', 'integer'], [...rows, ['"c1"', '1000'], ['null', '500']]);
    const data = await CHART_KINDS.bar.collect(view, axes(0, [1]), noPause);
    expect(data.points.slice(0, 2)).toEqual([
      { x: 'c1', y: 1001, series: 0 },
      { x: undefined, y: 500, series: 0 },
    ]);
    expect(data.hiddenCategories).toBe(11);
  });

  it.each([
    ['count', [2, 1]],
    ['sum', [30, 5]],
    ['average', [15, 5]],
    ['minimum', [10, 5]],
    ['maximum', [20, 5]],
  ] as const)('shows the %s of the values that are not NULL', async (aggregate, expected) => {
    const view = viewOf(
      ['varchar', 'integer'],
      [
        ['"a"', '10'],
        ['"a"', '20'],
        ['"a"', 'null'],
        ['"b"', '5'],
      ],
    );
    const { points } = await CHART_KINDS.bar.collect(view, axes(0, [1], { aggregate }), noPause);
    expect(points.map(({ y }) => y)).toEqual(expected);
  });

  it('has a series for each measure, and a line of one value for each time', async () => {
    const view = viewOf(
      ['date', 'integer', 'integer'],
      [
        ['"2026-01-02"', '2', '20'],
        ['"2026-01-01"', '1', 'null'],
        ['"2026-01-02"', '3', '30'],
      ],
    );
    const { points, series } = await CHART_KINDS.line.collect(view, axes(0, [1, 2]), noPause);
    expect(series).toEqual(['c1', 'c2']);
    expect(points.map(({ y, series: index }) => [y, index])).toEqual([
      [1, 0],
      [5, 0],
      [50, 1],
    ]);
  });

  it('has a series for each of the most frequent values of a column, and says how many it hides', async () => {
    const rows = Array.from({ length: 28 }, (_, index) => ['"x"', `"s${Math.floor(Math.sqrt(index))}"`, '1']);
    const view = viewOf(
      ['varchar', 'varchar', 'integer'],
      [...rows, ...Array.from({ length: 20 }, () => ['"x"', 'null', '2'])],
    );
    const { points, series, hiddenSeries } = await CHART_KINDS.bar.collect(view, axes(0, [2], { series: 1 }), noPause);
    expect(series).toEqual([undefined, 's4', 's3', 's2', 's1']);
    expect(hiddenSeries).toBe(2);
    expect(points.map(({ y }) => y)).toEqual([40, 9, 7, 5, 3]);
  });

  it('shows only the rows of an order, as the filters of a grid make it', async () => {
    const view = viewOf(
      ['varchar', 'integer'],
      [
        ['"a"', '1'],
        ['"b"', '2'],
        ['"a"', '4'],
      ],
    );
    const filtered = orderedView(view, Uint32Array.of(2, 1));
    const { points, rows } = await CHART_KINDS.bar.collect(filtered, axes(0, [1]), noPause);
    expect([points.map(({ x, y }) => [x, y]), rows]).toEqual([
      [
        ['a', 4],
        ['b', 2],
      ],
      2,
    ]);
    expect(() => filtered.cell(2, 0)).toThrow(RangeError);
  });
});

describe('a choice of a chart', () => {
  const columns = ['date', 'double', 'double', 'varchar'].map((type, index) => ({ name: `c${index}`, type }));

  it('counts rows without a measure, and needs one where rows are drawn', () => {
    const line = chooseChart(columns);
    if (line === undefined) throw new Error('no chart');
    const counted = withMeasures({ ...line, kind: 'bar' }, []);
    expect(counted.aggregate).toBe('count');
    expect(withMeasures(counted, [1]).aggregate).toBe('count');
    expect(withKind(columns, counted, 'scatter')).toMatchObject({ measures: [1], aggregate: undefined });
  });

  it('has no column of series beside several measures', () => {
    const line = chooseChart(columns);
    if (line === undefined) throw new Error('no chart');
    expect(withMeasures({ ...line, series: 3 }, [1, 2])).toMatchObject({ measures: [1, 2], series: undefined });
  });
});

describe('wrapName', () => {
  it('breaks names at spaces and leaves no character out', () => {
    expect(wrapName('short', 10)).toBe('short');
    expect(wrapName('Hartsfield Jackson Atlanta', 10)).toBe('Hartsfield\nJackson\nAtlanta');
    expect(wrapName('a'.repeat(25), 10)).toBe(`${'a'.repeat(10)}\n${'a'.repeat(10)}\n${'a'.repeat(5)}`);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (name, width) => {
        expect(wrapName(name, width).replaceAll(/\s/g, '')).toBe(name.replaceAll(/\s/g, ''));
      }),
    );
  });
});
