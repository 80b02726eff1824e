import { columnKind } from '../result/column-kind.ts';
import type { ResultView } from '../result/result-view.ts';
import { unquote } from '../result/sort-key.ts';
import { type ChartAxes, type Pause, SERIES_MAX } from './chart-kind.ts';
import { plotNumber } from './plot-number.ts';

/** Rows between two calls of `pause`. */
export const SLICE_ROWS = 512;

/** Value of a row in one series. */
interface SeriesValue {
  readonly series: number;
  readonly value: number;
}

/** The series of a chart, and how the values of a row belong to them. */
export interface ChartSeries {
  readonly names: readonly (string | undefined)[];
  readonly hidden: number;
  /** Returns the values of a row. NULL, NaN and infinities have none. */
  valuesOf(row: number): readonly SeriesValue[];
}

/** Returns the text of a value that names something. Undefined: NULL. */
export const nameOfValue = (json: string): string | undefined => (json === 'null' ? undefined : unquote(json));

/** Finds the series of a chart: its measures, or the most frequent values of a column. */
export async function findSeries(view: ResultView, axes: ChartAxes, pause: Pause): Promise<ChartSeries> {
  const { measures, series } = axes;
  const kindOf = (column: number) => columnKind(view.columns[column]?.type ?? '');
  const valueIn = (row: number, column: number | undefined): number | undefined =>
    column === undefined ? 1 : plotNumber(kindOf(column), view.cell(row, column));
  if (series === undefined) {
    const columns: readonly (number | undefined)[] = measures.length === 0 ? [undefined] : measures;
    return {
      names: columns.map((column) => (column === undefined ? '' : (view.columns[column]?.name ?? ''))),
      hidden: 0,
      valuesOf: (row) =>
        columns.flatMap((column, index) => {
          const value = valueIn(row, column);
          return value === undefined ? [] : [{ series: index, value }];
        }),
    };
  }
  const frequent = await mostFrequent(view, series, pause);
  const indexes = new Map(frequent.shown.map((json, index) => [json, index]));
  return {
    names: frequent.shown.map(nameOfValue),
    hidden: frequent.hidden,
    valuesOf(row) {
      const index = indexes.get(view.cell(row, series));
      const value = index === undefined ? undefined : valueIn(row, measures[0]);
      return index === undefined || value === undefined ? [] : [{ series: index, value }];
    },
  };
}

async function mostFrequent(view: ResultView, column: number, pause: Pause) {
  const counts = new Map<string, number>();
  for (let row = 0; row < view.loadedRows; row += 1) {
    if (row % SLICE_ROWS === 0) await pause();
    const json = view.cell(row, column);
    counts.set(json, (counts.get(json) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a).map(([json]) => json);
  return { shown: sorted.slice(0, SERIES_MAX), hidden: Math.max(0, sorted.length - SERIES_MAX) };
}
