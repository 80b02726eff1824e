import type * as Plot from '@observablehq/plot';
import { type ColumnKind, columnKind } from '../result/column-kind.ts';
import type { ResultView } from '../result/result-view.ts';
import { groupRows } from './chart-groups.ts';
import {
  AGGREGATES,
  type ChartAxes,
  type ChartData,
  type ChartDrawing,
  type ChartKind,
  type ChartPoint,
  type DrawnMarks,
  type Pause,
} from './chart-kind.ts';
import { nameOfValue } from './chart-series.ts';
import { summarizeColumn } from './column-summary.ts';
import { isPlotted } from './plot-number.ts';

export const CATEGORIES_MAX = 40;
/** Widest bar in pixels. */
const BAR_MAX = 96;
/** Room of a character of a name, and of a line, in pixels. */
const CHARACTER_WIDTH = 7;
const LINE_HEIGHT = 16;
/** Height of a horizontal bar, and the space around the bars of a category. */
const BAR_HEIGHT = 16;
const CATEGORY_GAP = 8;
/** Height of the axis, its name and the note. */
const AXIS_HEIGHT = 76;
/** Part of the width that names of categories may take. */
const NAMES_SHARE = 0.4;

/** Checks whether values of a kind are names, of which a chart shows a few. */
export const isCategory = (kind: ColumnKind): boolean => kind === 'text' || kind === 'boolean';

const isHistogram = (view: ResultView, { x, measures, series }: ChartAxes): boolean =>
  measures.length === 0 && series === undefined && isPlotted(columnKind(view.columns[x]?.type ?? ''));

async function collectHistogram(view: ResultView, x: number, pause: Pause): Promise<ChartData> {
  const { histogram } = await summarizeColumn(view, x, pause);
  const points = histogram.map(({ from, to, count }) => ({ x: from, xEnd: to, y: count, series: 0 }));
  return { points, series: [''], rows: view.loadedRows, hiddenCategories: 0, hiddenSeries: 0 };
}

/** Makes a bar for each category and series. The largest categories come first, unless the user has sorted the rows. */
async function collectCategories(view: ResultView, axes: ChartAxes, pause: Pause): Promise<ChartData> {
  const { groups, series } = await groupRows(view, axes, (row) => view.cell(row, axes.x), pause);
  const sizeOf = ({ values }: (typeof groups)[number]): number => values.reduce((sum, { value }) => sum + value, 0);
  const bySize = () =>
    groups
      .map((group) => ({ group, size: sizeOf(group) }))
      .sort((one, other) => other.size - one.size)
      .map(({ group }) => group);
  const sorted = axes.isSorted === true ? groups : bySize();
  const points = sorted
    .slice(0, CATEGORIES_MAX)
    .flatMap(({ key, values }) =>
      values.map(({ series: index, value }) => ({ x: nameOfValue(key), y: value, series: index })),
    );
  return {
    points,
    series: series.names,
    rows: view.loadedRows,
    hiddenCategories: Math.max(0, sorted.length - CATEGORIES_MAX),
    hiddenSeries: series.hidden,
  };
}

/** Breaks a name into lines, at spaces where there are some. No character of it is left out. */
export function wrapName(name: string, lineCharacters: number): string {
  const lines: string[] = [];
  let rest = [...name];
  while (rest.length > lineCharacters) {
    const space = rest.slice(0, lineCharacters + 1).lastIndexOf(' ');
    const end = space > 0 ? space : lineCharacters;
    lines.push(rest.slice(0, end).join(''));
    rest = rest.slice(space > 0 ? end + 1 : end);
  }
  return [...lines, rest.join('')].join('\n');
}

function drawHistogram(plot: typeof Plot, { data, style, position }: ChartDrawing): DrawnMarks {
  const edges = {
    x1: ({ x }: ChartPoint) => position(x),
    x2: ({ xEnd }: ChartPoint) => position(xEnd),
    y: ({ y }: ChartPoint) => y,
  };
  return { marks: [plot.rectY(data.points as ChartPoint[], { ...edges, fill: style.series[0] ?? '', insetLeft: 1 })] };
}

/** Bars that grow to the right, below each other: their names have room, however long and many they are. */
function drawHorizontal(plot: typeof Plot, drawing: ChartDrawing, names: readonly string[]): DrawnMarks {
  const { data, style, labels, width } = drawing;
  const points = data.points as ChartPoint[];
  const lineCharacters = Math.max(8, Math.floor((width * NAMES_SHARE) / CHARACTER_WIDTH));
  const lines = (name: string) => wrapName(name, lineCharacters).split('\n');
  const longest = Math.max(...names.flatMap((name) => lines(name).map((line) => [...line].length)));
  const mostLines = Math.max(...names.map((name) => lines(name).length));
  const categoryHeight = Math.max(BAR_HEIGHT * data.series.length, LINE_HEIGHT * mostLines) + CATEGORY_GAP;
  const category = { domain: [...names], label: null, tickFormat: (name: string) => wrapName(name, lineCharacters) };
  const fill = ({ series }: ChartPoint) => style.series[series] ?? '';
  return {
    isHorizontal: true,
    marks: [
      plot.barX(points, { x: ({ y }) => y, y: ({ series }) => series, fy: nameOf(labels.nothing), fill, insetTop: 1 }),
    ],
    options: {
      height: names.length * categoryHeight + AXIS_HEIGHT,
      marginLeft: longest * CHARACTER_WIDTH + LINE_HEIGHT,
      x: { label: labels.y, grid: true, nice: true },
      y: { axis: null, domain: data.series.map((_, index) => index), padding: 0 },
      fy: { ...category, axis: 'left', padding: CATEGORY_GAP / categoryHeight },
      color: { type: 'identity' },
    },
  };
}

const nameOf =
  (nothing: string) =>
  ({ x }: ChartPoint): string =>
    x === undefined ? nothing : String(x);

function drawBars(plot: typeof Plot, drawing: ChartDrawing): DrawnMarks {
  const { data, style, labels, width } = drawing;
  const points = data.points as ChartPoint[];
  if (points[0]?.xEnd !== undefined) return drawHistogram(plot, drawing);
  const x = nameOf(labels.nothing);
  const names = [...new Set(points.map(x))];
  const isCrowded = names.some((name) => [...name].length * CHARACTER_WIDTH > width / names.length);
  if (isCrowded || data.series.length > 1) return drawHorizontal(plot, drawing, names);
  const padding = Math.max(0.15, 1 - (BAR_MAX * names.length) / width);
  return {
    marks: [plot.barY(points, { x, y: ({ y }) => y, fill: style.series[0] ?? '' })],
    options: { x: { label: labels.x, type: 'band', domain: names, padding } },
  };
}

/** A bar for each category, or for each part of the range of a number or time. */
export const BAR: ChartKind = {
  acceptsX: (kind) => isPlotted(kind) || isCategory(kind),
  aggregates: ['sum', ...AGGREGATES.filter((aggregate) => aggregate !== 'sum')],
  suggest: ({ categories: [x], quantities: [quantity], numbers: [number] }) => {
    const measure = quantity ?? number;
    return x === undefined ? undefined : { x, measures: measure === undefined ? [] : [measure] };
  },
  collect: (view, axes, pause) =>
    isHistogram(view, axes) ? collectHistogram(view, axes.x, pause) : collectCategories(view, axes, pause),
  draw: drawBars,
};
