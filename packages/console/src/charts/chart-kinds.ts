import { columnKind } from '../result/column-kind.ts';
import type { ResultColumn } from '../result/result-view.ts';
import { BAR, isCategory } from './bar-chart.ts';
import { type Aggregate, type ChartAxes, type ChartKind, SERIES_MAX } from './chart-kind.ts';
import { isPlotted, isTime } from './plot-number.ts';
import { LINE, SCATTER } from './point-charts.ts';

/** Every kind of chart. The first one that suits a result is suggested. A new kind also needs the messages of its name and its title. */
export const CHART_KINDS = { line: LINE, bar: BAR, scatter: SCATTER } as const satisfies Record<string, ChartKind>;
export type ChartKindName = keyof typeof CHART_KINDS;
export const CHART_KIND_NAMES = Object.keys(CHART_KINDS) as ChartKindName[];

/** Kind of a chart, and its columns. */
export interface ChartChoice extends ChartAxes {
  readonly kind: ChartKindName;
}

/** Numbers with such a name are keys rather than quantities. */
const KEY_NAME = /(?:^|_)(?:id|key|code|zip)$/i;

/** Returns the value that a kind shows of the rows with the same `x` if the user has not chosen one. Rows without a measure are counted. */
const usualAggregate = (kind: ChartKindName, measures: readonly number[]): Aggregate | undefined =>
  measures.length === 0 ? 'count' : CHART_KINDS[kind].aggregates[0];

/** Whether a kind can count rows, so that it needs no measure. */
export const countsRows = (kind: ChartKindName): boolean => CHART_KINDS[kind].aggregates.includes('count');

/**
 * Returns the chart that suits the types of the columns, or the counts of the first column that an axis can show. Undefined if no column
 * can be drawn.
 */
export function chooseChart(columns: readonly ResultColumn[]): ChartChoice | undefined {
  const kinds = columns.map(({ type }) => columnKind(type));
  const find = (test: (kind: (typeof kinds)[number]) => boolean) =>
    kinds.flatMap((kind, column) => (test(kind) ? [column] : []));
  const numbers = find((kind) => kind === 'number');
  const sorted = {
    numbers,
    times: find(isTime),
    categories: find(isCategory),
    quantities: numbers.filter((column) => !KEY_NAME.test(columns[column]?.name ?? '')),
  };
  for (const kind of CHART_KIND_NAMES) {
    const axes = CHART_KINDS[kind].suggest(sorted);
    if (axes !== undefined) return { kind, ...axes, series: undefined, aggregate: usualAggregate(kind, axes.measures) };
  }
  const [only] = find(isPlotted);
  return only === undefined ? undefined : { kind: 'bar', x: only, measures: [], series: undefined, aggregate: 'count' };
}

/** Returns the columns that an axis of a chart can show, or whose values can be its series. */
export function columnsFor(
  name: ChartKindName,
  axis: 'x' | 'y' | 'series',
  columns: readonly ResultColumn[],
): number[] {
  const { acceptsX } = CHART_KINDS[name];
  const accepts = {
    x: acceptsX,
    y: (kind: ReturnType<typeof columnKind>) => kind === 'number',
    series: (kind: ReturnType<typeof columnKind>) => isCategory(kind) || isPlotted(kind),
  };
  return columns.flatMap(({ type }, column) => (accepts[axis](columnKind(type)) ? [column] : []));
}

/** Returns the choice with another kind, with columns that its axes can show. Undefined if there are none. */
export function withKind(
  columns: readonly ResultColumn[],
  choice: ChartChoice,
  kind: ChartKindName,
): ChartChoice | undefined {
  const [xs, ys] = [columnsFor(kind, 'x', columns), columnsFor(kind, 'y', columns)];
  const x = xs.includes(choice.x) ? choice.x : xs[0];
  if (x === undefined) return undefined;
  const other = ys.find((each) => each !== x) ?? ys[0];
  const measures =
    choice.measures.length > 0 || countsRows(kind) ? choice.measures : other === undefined ? [] : [other];
  if (measures.length === 0 && !countsRows(kind)) return undefined;
  return withMeasures({ ...choice, kind, x }, measures);
}

/** Returns the choice with other measures. Several measures are series themselves, so no column splits them. */
export function withMeasures(choice: ChartChoice, measures: readonly number[]): ChartChoice {
  const { kind, series } = choice;
  const { aggregates } = CHART_KINDS[kind];
  const isKept = aggregates.includes(choice.aggregate) && (measures.length > 0 || choice.aggregate === 'count');
  return {
    ...choice,
    measures: [...new Set(measures)].slice(0, SERIES_MAX),
    series: measures.length > 1 ? undefined : series,
    aggregate: isKept ? choice.aggregate : usualAggregate(kind, measures),
  };
}
