import { columnKind } from '../result/column-kind.ts';
import type { ResultView } from '../result/result-view.ts';
import { unquote } from '../result/sort-key.ts';
import type { ChartChoice } from './chart-choice.ts';
import { summarizeColumn } from './column-summary.ts';
import { isPlotted, plotNumber } from './plot-number.ts';

/** Point or bar of a chart. */
export interface ChartPoint {
  /** Number, milliseconds since 1970, or the name of a category. Undefined: NULL. */
  readonly x: number | string | undefined;
  /** Right edge of a bar that stands for a range of `x`. */
  readonly xEnd?: number;
  readonly y: number;
}

export interface ChartData {
  readonly points: readonly ChartPoint[];
  /** Loaded rows that the points stand for. */
  readonly rows: number;
  /** Categories that are not shown because others are larger. */
  readonly hiddenCategories: number;
}

/** Points of a line or scatter: more than there are pixels only cost time. The first rows are drawn. */
const POINTS_MAX = 20_000;
export const CATEGORIES_MAX = 40;
const SLICE_ROWS = 512;

type Pause = () => Promise<void> | undefined;

/** Returns what a chart draws of the loaded rows. */
export function collectChartData(view: ResultView, choice: ChartChoice, pause: Pause): Promise<ChartData> {
  if (choice.kind !== 'bar') return collectPoints(view, choice, pause);
  const kind = columnKind(view.columns[choice.x]?.type ?? '');
  return isPlotted(kind) && choice.y === undefined
    ? collectHistogram(view, choice, pause)
    : collectCategories(view, choice, pause);
}

async function collectPoints(view: ResultView, { kind, x, y }: ChartChoice, pause: Pause): Promise<ChartData> {
  const kindOf = (column: number) => columnKind(view.columns[column]?.type ?? '');
  const points: ChartPoint[] = [];
  let row = 0;
  for (; row < view.keptRows && points.length < POINTS_MAX; row += 1) {
    if (row % SLICE_ROWS === 0) await pause();
    const place = plotNumber(kindOf(x), view.cell(row, x));
    const value = y === undefined ? 1 : plotNumber(kindOf(y), view.cell(row, y));
    if (place !== undefined && value !== undefined) points.push({ x: place, y: value });
  }
  if (kind === 'line') points.sort((a, b) => Number(a.x) - Number(b.x));
  return { points, rows: row, hiddenCategories: 0 };
}

async function collectHistogram(view: ResultView, { x }: ChartChoice, pause: Pause): Promise<ChartData> {
  const { histogram } = await summarizeColumn(view, x, pause);
  const points = histogram.map(({ from, to, count }) => ({ x: from, xEnd: to, y: count }));
  return { points, rows: view.keptRows, hiddenCategories: 0 };
}

/** Adds up the values of each category, or counts its rows. The largest ones come first. */
async function collectCategories(view: ResultView, { x, y }: ChartChoice, pause: Pause): Promise<ChartData> {
  const kind = columnKind(view.columns[y ?? x]?.type ?? '');
  const sums = new Map<string, number>();
  for (let row = 0; row < view.keptRows; row += 1) {
    if (row % SLICE_ROWS === 0) await pause();
    const value = y === undefined ? 1 : plotNumber(kind, view.cell(row, y));
    const name = view.cell(row, x);
    if (value !== undefined) sums.set(name, (sums.get(name) ?? 0) + value);
  }
  const sorted = [...sums].sort(([, a], [, b]) => b - a);
  const points = sorted
    .slice(0, CATEGORIES_MAX)
    .map(([json, sum]) => ({ x: json === 'null' ? undefined : unquote(json), y: sum }));
  return { points, rows: view.keptRows, hiddenCategories: Math.max(0, sorted.length - CATEGORIES_MAX) };
}
