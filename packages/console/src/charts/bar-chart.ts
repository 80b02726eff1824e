import type * as Plot from '@observablehq/plot';
import { type ColumnKind, columnKind } from '../result/column-kind.ts';
import type { ResultView } from '../result/result-view.ts';
import { unquote } from '../result/sort-key.ts';
import type { ChartAxes, ChartData, ChartDrawing, ChartKind, ChartPoint, Pause } from './chart-kind.ts';
import { summarizeColumn } from './column-summary.ts';
import { isPlotted, plotNumber } from './plot-number.ts';

export const CATEGORIES_MAX = 40;
const SLICE_ROWS = 512;
/** Widest bar in pixels. */
const BAR_MAX = 96;
const NAME_CHARACTERS = 14;

/** Checks whether values of a kind are names, of which a chart shows a few. */
export const isCategory = (kind: ColumnKind): boolean => kind === 'text' || kind === 'boolean';

async function collectHistogram(view: ResultView, x: number, pause: Pause): Promise<ChartData> {
  const { histogram } = await summarizeColumn(view, x, pause);
  const points = histogram.map(({ from, to, count }) => ({ x: from, xEnd: to, y: count }));
  return { points, rows: view.loadedRows, hiddenCategories: 0 };
}

/** Adds up the values of each category, or counts its rows. The largest ones come first. */
async function collectCategories(view: ResultView, { x, y }: ChartAxes, pause: Pause): Promise<ChartData> {
  const kind = columnKind(view.columns[y ?? x]?.type ?? '');
  const sums = new Map<string, number>();
  for (let row = 0; row < view.loadedRows; row += 1) {
    if (row % SLICE_ROWS === 0) await pause();
    const value = y === undefined ? 1 : plotNumber(kind, view.cell(row, y));
    const name = view.cell(row, x);
    if (value !== undefined) sums.set(name, (sums.get(name) ?? 0) + value);
  }
  const sorted = [...sums].sort(([, a], [, b]) => b - a);
  const points = sorted
    .slice(0, CATEGORIES_MAX)
    .map(([json, sum]) => ({ x: json === 'null' ? undefined : unquote(json), y: sum }));
  return { points, rows: view.loadedRows, hiddenCategories: Math.max(0, sorted.length - CATEGORIES_MAX) };
}

const shorten = (name: string): string =>
  name.length > NAME_CHARACTERS ? `${name.slice(0, NAME_CHARACTERS - 1)}…` : name;

/** Categories in the order of the data, with room for their names. */
function categoryScale(names: readonly string[], width: number): Plot.ScaleOptions {
  const isCrowded = names.some((name) => name.length * 7 > width / names.length);
  const padding = Math.max(0.15, 1 - (BAR_MAX * names.length) / width);
  return { type: 'band', domain: names, padding, ...(isCrowded ? { tickRotate: -35 } : {}), tickFormat: shorten };
}

function drawBars(plot: typeof Plot, { data, style, labels, width, position }: ChartDrawing) {
  const points = data.points as ChartPoint[];
  const y = ({ y: value }: ChartPoint) => value;
  if (points[0]?.xEnd !== undefined) {
    const edges = { x1: ({ x }: ChartPoint) => position(x), x2: ({ xEnd }: ChartPoint) => position(xEnd) };
    return { marks: [plot.rectY(points, { ...edges, y, fill: style.series, insetLeft: 1 })] };
  }
  const nameOf = ({ x }: ChartPoint): string => (x === undefined ? labels.nothing : String(x));
  return {
    marks: [plot.barY(points, { x: nameOf, y, fill: style.series })],
    scale: categoryScale(points.map(nameOf), width),
  };
}

/** A bar for each category, or for each part of the range of a number or time. */
export const BAR: ChartKind = {
  acceptsX: (kind) => isPlotted(kind) || isCategory(kind),
  addsUp: true,
  suggest: ({ categories: [x], quantities: [quantity], numbers: [number] }) =>
    x === undefined ? undefined : { x, y: quantity ?? number },
  collect: (view, axes, pause) =>
    isPlotted(columnKind(view.columns[axes.x]?.type ?? '')) && axes.y === undefined
      ? collectHistogram(view, axes.x, pause)
      : collectCategories(view, axes, pause),
  draw: drawBars,
};
