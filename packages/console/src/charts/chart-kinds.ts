import { columnKind } from '../result/column-kind.ts';
import type { ResultColumn } from '../result/result-view.ts';
import { BAR, isCategory } from './bar-chart.ts';
import type { ChartAxes, ChartKind } from './chart-kind.ts';
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
    if (axes !== undefined) return { kind, ...axes };
  }
  const [only] = find(isPlotted);
  return only === undefined ? undefined : { kind: 'bar', x: only, y: undefined };
}

/** Returns the columns that an axis of a chart can show. */
export function columnsFor(name: ChartKindName, axis: 'x' | 'y', columns: readonly ResultColumn[]): number[] {
  const { acceptsX } = CHART_KINDS[name];
  return columns.flatMap(({ type }, column) => {
    const kind = columnKind(type);
    return (axis === 'y' ? kind === 'number' : acceptsX(kind)) ? [column] : [];
  });
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
  if (CHART_KINDS[kind].addsUp) return { kind, x, y: choice.y };
  const y = choice.y !== undefined && ys.includes(choice.y) ? choice.y : (ys.find((each) => each !== x) ?? ys[0]);
  return y === undefined ? undefined : { kind, x, y };
}
