import type * as Plot from '@observablehq/plot';
import type { ColumnKind } from '../result/column-kind.ts';
import type { ResultColumn, ResultView } from '../result/result-view.ts';

/** Positions of the columns of a chart in the result. */
export interface ChartAxes {
  /** Column of the horizontal axis. */
  readonly x: number;
  /** Column of the vertical axis. Undefined: the number of rows with each value of `x`. */
  readonly y: number | undefined;
}

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

/** Resolves when the thread was free for a moment, and rejects to give up. Undefined: go on immediately. */
export type Pause = () => Promise<void> | undefined;

/** Colours and fonts of a chart, as the theme has them. */
export interface ChartStyle {
  readonly series: string;
  readonly text: string;
  readonly grid: string;
  readonly warning: string;
  readonly background: string;
  readonly font: string;
  /** Pixels. */
  readonly fontSize: number;
}

/** Names of the axes, and of NULL. */
export interface ChartLabels {
  readonly x: string;
  readonly y: string;
  readonly nothing: string;
}

/** Input of the drawing of a kind. */
export interface ChartDrawing {
  readonly data: ChartData;
  readonly labels: ChartLabels;
  readonly style: ChartStyle;
  /** Pixels. */
  readonly width: number;
  /** Returns the position of a point on the horizontal axis, as Plot takes it. */
  readonly position: (x: ChartPoint['x']) => Date | number | string | undefined;
}

/** Columns of a result by what an axis can do with them. */
export interface ChartColumns {
  readonly times: readonly number[];
  readonly categories: readonly number[];
  readonly numbers: readonly number[];
  /** Numbers that are not keys. */
  readonly quantities: readonly number[];
}

/** A kind of chart. `CHART_KINDS` lists all of them; their names are the messages `chart.kind.*` and `chart.title.*`. */
export interface ChartKind {
  /** Checks whether the horizontal axis can show a column. The vertical one shows numbers. */
  readonly acceptsX: (kind: ColumnKind) => boolean;
  /** Whether the chart adds up the rows with the same `x`, and counts them without a column for `y`. */
  readonly addsUp: boolean;
  /** Returns the columns that suit the chart, if it is the best one for the result. */
  readonly suggest: (columns: ChartColumns) => ChartAxes | undefined;
  readonly collect: (view: ResultView, axes: ChartAxes, pause: Pause) => Promise<ChartData>;
  /** Returns the marks, and the scale of the horizontal axis if it is not the usual one. Plot is a parameter, because it is loaded late. */
  readonly draw: (
    plot: typeof Plot,
    drawing: ChartDrawing,
  ) => { readonly marks: readonly Plot.Markish[]; readonly scale?: Plot.ScaleOptions };
}

/** A chart of a result: its kind and its columns. */
export interface ChartInput extends Omit<ChartDrawing, 'position'> {
  readonly kind: ChartKind;
  /** Column of the horizontal axis. */
  readonly x: ResultColumn | undefined;
  /** Sentence about an incomplete result; empty: the result is whole. It is part of the picture, so that a saved one says so too. */
  readonly note: string;
  readonly height: number;
}
