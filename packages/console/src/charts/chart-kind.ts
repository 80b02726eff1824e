import type * as Plot from '@observablehq/plot';
import type { ColumnKind } from '../result/column-kind.ts';
import type { ResultColumn, ResultView } from '../result/result-view.ts';

/** Values that a chart can show of the rows with the same place on its horizontal axis. */
export const AGGREGATES = ['count', 'sum', 'average', 'minimum', 'maximum'] as const;
export type Aggregate = (typeof AGGREGATES)[number];

/** Maximum number of series of a chart. Nobody distinguishes more colours. */
export const SERIES_MAX = 5;

/** Columns of a chart, by their positions in the result. */
export interface ChartAxes {
  /** Column of the horizontal axis. */
  readonly x: number;
  /** Columns of the vertical axis, each a series: at most `SERIES_MAX`. Empty: the rows are counted. */
  readonly measures: readonly number[];
  /** Column whose values are the series of the one measure. Undefined: each measure is a series. */
  readonly series: number | undefined;
  /** Undefined: each row is a point. */
  readonly aggregate: Aggregate | undefined;
  /** The user has sorted the rows, so categories stay in their order. Default: the largest come first. */
  readonly isSorted?: boolean;
}

/** Point or bar of a chart. */
export interface ChartPoint {
  /** Number, milliseconds since 1970, or the name of a category. Undefined: NULL. */
  readonly x: number | string | undefined;
  /** Right edge of a bar that stands for a range of `x`. */
  readonly xEnd?: number;
  readonly y: number;
  /** Position in the series of the chart. */
  readonly series: number;
}

export interface ChartData {
  readonly points: readonly ChartPoint[];
  /** Names of the series: of their columns, or of the values of one column. Undefined: NULL. */
  readonly series: readonly (string | undefined)[];
  /** Loaded rows that the points stand for. */
  readonly rows: number;
  /** Categories that are not shown because others are larger. */
  readonly hiddenCategories: number;
  /** Values of the column of the series that are not shown because others are more frequent. */
  readonly hiddenSeries: number;
}

/** Resolves when the thread was free for a moment, and rejects to give up. Undefined: go on immediately. */
export type Pause = () => Promise<void> | undefined;

/** Colours and fonts of a chart, as the theme has them. */
export interface ChartStyle {
  /** A colour for each series. */
  readonly series: readonly string[];
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

/** Marks of a chart, with their options. */
export interface DrawnMarks {
  readonly marks: readonly Plot.Markish[];
  /** Options of Plot that differ from the usual ones. */
  readonly options?: Plot.PlotOptions;
  /** Bars that grow to the right: the values are on the horizontal axis. */
  readonly isHorizontal?: boolean;
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
  /** Values that it can show of the rows with the same `x`, the usual one first. Undefined: each row. One with `count` needs no measure. */
  readonly aggregates: readonly (Aggregate | undefined)[];
  /** Returns the columns that suit the chart, if it is the best one for the result. */
  readonly suggest: (columns: ChartColumns) => Pick<ChartAxes, 'x' | 'measures'> | undefined;
  readonly collect: (view: ResultView, axes: ChartAxes, pause: Pause) => Promise<ChartData>;
  /** Plot is a parameter, because it is loaded late. */
  readonly draw: (plot: typeof Plot, drawing: ChartDrawing) => DrawnMarks;
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
