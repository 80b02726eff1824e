import type * as Plot from '@observablehq/plot';
import { columnKind } from '../result/column-kind.ts';
import type { ResultView } from '../result/result-view.ts';
import { groupRows } from './chart-groups.ts';
import {
  AGGREGATES,
  type ChartAxes,
  type ChartData,
  type ChartDrawing,
  type ChartKind,
  type ChartPoint,
  type Pause,
} from './chart-kind.ts';
import { findSeries, SLICE_ROWS } from './chart-series.ts';
import { isPlotted, plotNumber } from './plot-number.ts';

/** Points of a line or scatter: more than there are pixels only cost time. The first rows are drawn. */
const POINTS_MAX = 20_000;

const byPosition = (one: ChartPoint, other: ChartPoint): number => Number(one.x) - Number(other.x);

async function collectPoints(view: ResultView, axes: ChartAxes, pause: Pause): Promise<ChartData> {
  const kind = columnKind(view.columns[axes.x]?.type ?? '');
  const series = await findSeries(view, axes, pause);
  const points: ChartPoint[] = [];
  let row = 0;
  for (; row < view.loadedRows && points.length < POINTS_MAX; row += 1) {
    if (row % SLICE_ROWS === 0) await pause();
    const x = plotNumber(kind, view.cell(row, axes.x));
    if (x === undefined) continue;
    for (const { series: index, value } of series.valuesOf(row)) points.push({ x, y: value, series: index });
  }
  return { points, series: series.names, rows: row, hiddenCategories: 0, hiddenSeries: series.hidden };
}

/** Makes a point of the rows with the same position, for each series. */
async function collectPositions(view: ResultView, axes: ChartAxes, pause: Pause): Promise<ChartData> {
  const kind = columnKind(view.columns[axes.x]?.type ?? '');
  const { groups, series } = await groupRows(view, axes, (row) => plotNumber(kind, view.cell(row, axes.x)), pause);
  const points = groups.flatMap(({ key, values }) =>
    values.map(({ series: index, value }) => ({ x: key, y: value, series: index })),
  );
  return { points, series: series.names, rows: view.loadedRows, hiddenCategories: 0, hiddenSeries: series.hidden };
}

const channels = ({ style, position }: ChartDrawing) => ({
  x: ({ x }: ChartPoint) => position(x),
  y: ({ y }: ChartPoint) => y,
  z: ({ series }: ChartPoint) => series,
  stroke: ({ series }: ChartPoint) => style.series[series] ?? '',
});

const draw = (mark: (plot: typeof Plot, points: ChartPoint[], drawing: ChartDrawing) => Plot.Markish) =>
  ((plot, drawing) => ({
    marks: [mark(plot, drawing.data.points as ChartPoint[], drawing)],
    options: { color: { type: 'identity' } },
  })) satisfies ChartKind['draw'];

/** A line through the rows in the order of the horizontal axis, such as values over time. */
export const LINE: ChartKind = {
  acceptsX: isPlotted,
  aggregates: [undefined, ...AGGREGATES],
  suggest: ({ times: [x], quantities: [quantity], numbers: [number] }) => {
    const measure = quantity ?? number;
    return x === undefined || measure === undefined ? undefined : { x, measures: [measure] };
  },
  async collect(view, axes, pause) {
    const data = await (axes.aggregate === undefined ? collectPoints : collectPositions)(view, axes, pause);
    return { ...data, points: [...data.points].sort(byPosition) };
  },
  draw: draw((plot, points, drawing) => plot.lineY(points, { ...channels(drawing), strokeWidth: 1.5 })),
};

/** A point for each row: two numbers. */
export const SCATTER: ChartKind = {
  acceptsX: isPlotted,
  aggregates: [undefined],
  suggest: ({ quantities: [x, y] }) => (x === undefined || y === undefined ? undefined : { x, measures: [y] }),
  collect: collectPoints,
  draw: draw((plot, points, drawing) => plot.dot(points, { ...channels(drawing), r: 2.5, strokeOpacity: 0.7 })),
};
