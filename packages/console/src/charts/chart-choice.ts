import { type ColumnKind, columnKind } from '../result/column-kind.ts';
import type { ResultColumn } from '../result/result-view.ts';
import { isPlotted, isTime } from './plot-number.ts';

export type ChartKind = 'line' | 'bar' | 'scatter';
export const CHART_KINDS: readonly ChartKind[] = ['line', 'bar', 'scatter'];

/** Kind of a chart, and the positions of its columns in the result. */
export interface ChartChoice {
  readonly kind: ChartKind;
  /** Column of the horizontal axis. */
  readonly x: number;
  /** Column of the vertical axis. Undefined: the number of rows with each value of `x`. */
  readonly y: number | undefined;
}

const isCategory = (kind: ColumnKind): boolean => kind === 'text' || kind === 'boolean';
/** Numbers with such a name are keys rather than quantities. */
const KEY_NAME = /(?:^|_)(?:id|key|code|zip)$/i;

/**
 * Returns the chart that suits the types of the columns: a line over time, bars by category, a scatter of two numbers, or the counts of
 * one column. Undefined if no column can be drawn.
 */
export function chooseChart(columns: readonly ResultColumn[]): ChartChoice | undefined {
  const kinds = columns.map(({ type }) => columnKind(type));
  const find = (test: (kind: ColumnKind) => boolean) => kinds.flatMap((kind, column) => (test(kind) ? [column] : []));
  const [time] = find(isTime);
  const [category] = find(isCategory);
  const numbers = find((kind) => kind === 'number');
  const quantities = numbers.filter((column) => !KEY_NAME.test(columns[column]?.name ?? ''));
  const [first = numbers[0], second] = quantities;
  if (time !== undefined && first !== undefined) return { kind: 'line', x: time, y: first };
  if (category !== undefined) return { kind: 'bar', x: category, y: first };
  if (first !== undefined && second !== undefined) return { kind: 'scatter', x: first, y: second };
  const [only] = find(isPlotted);
  return only === undefined ? undefined : { kind: 'bar', x: only, y: undefined };
}

/** Returns the columns that an axis of a chart can show. */
export function columnsFor(kind: ChartKind, axis: 'x' | 'y', columns: readonly ResultColumn[]): number[] {
  return columns.flatMap(({ type }, column) => {
    const each = columnKind(type);
    const fits = axis === 'y' ? each === 'number' : isPlotted(each) || (kind === 'bar' && isCategory(each));
    return fits ? [column] : [];
  });
}
