import { columnKind } from '../result/column-kind.ts';
import type { ResultView } from '../result/result-view.ts';
import type { ChartAxes, ChartData, ChartKind, ChartPoint, Pause } from './chart-kind.ts';
import { isPlotted, plotNumber } from './plot-number.ts';

/** Points of a line or scatter: more than there are pixels only cost time. The first rows are drawn. */
const POINTS_MAX = 20_000;
const SLICE_ROWS = 512;

async function collectPoints(view: ResultView, { x, y }: ChartAxes, pause: Pause): Promise<ChartData> {
  const kindOf = (column: number) => columnKind(view.columns[column]?.type ?? '');
  const points: ChartPoint[] = [];
  let row = 0;
  for (; row < view.loadedRows && points.length < POINTS_MAX; row += 1) {
    if (row % SLICE_ROWS === 0) await pause();
    const position = plotNumber(kindOf(x), view.cell(row, x));
    const value = y === undefined ? 1 : plotNumber(kindOf(y), view.cell(row, y));
    if (position !== undefined && value !== undefined) points.push({ x: position, y: value });
  }
  return { points, rows: row, hiddenCategories: 0 };
}

/** A line through the rows in the order of the horizontal axis, such as values over time. */
export const LINE: ChartKind = {
  acceptsX: isPlotted,
  addsUp: false,
  suggest: ({ times: [x], quantities: [quantity], numbers: [y] }) =>
    x === undefined || y === undefined ? undefined : { x, y: quantity ?? y },
  async collect(view, axes, pause) {
    const data = await collectPoints(view, axes, pause);
    return { ...data, points: [...data.points].sort((a, b) => Number(a.x) - Number(b.x)) };
  },
  draw: (plot, { data, style, position }) => ({
    marks: [
      plot.lineY(data.points as ChartPoint[], {
        x: ({ x }) => position(x),
        y: ({ y }) => y,
        stroke: style.series,
        strokeWidth: 1.5,
      }),
    ],
  }),
};

/** A point for each row: two numbers. */
export const SCATTER: ChartKind = {
  acceptsX: isPlotted,
  addsUp: false,
  suggest: ({ quantities: [x, y] }) => (x === undefined || y === undefined ? undefined : { x, y }),
  collect: collectPoints,
  draw: (plot, { data, style, position }) => ({
    marks: [
      plot.dot(data.points as ChartPoint[], {
        x: ({ x }) => position(x),
        y: ({ y }) => y,
        r: 2.5,
        stroke: style.series,
        strokeOpacity: 0.7,
      }),
    ],
  }),
};
