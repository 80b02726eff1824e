import type { CSSProperties } from 'react';
import { isAlignedRight } from '../result/cell-text.ts';
import type { ResultColumn } from '../result/result-view.ts';
import { columnStarts } from './column-widths.ts';

/** Positions of the columns. The same object until a width changes, so that rows are not rendered again. */
export interface ColumnLayout {
  /** Left edge of each column, and the right one of the last, from the edge of the first. */
  readonly starts: Float64Array;
  /** Width of all columns. */
  readonly width: number;
  /** Place of each column. React skips a style that is the same object. */
  readonly styles: readonly CSSProperties[];
  readonly isRight: readonly boolean[];
}

/** Returns the layout of columns with these widths, behind row numbers of `gutter` pixels. */
export function layOutColumns(
  columns: readonly ResultColumn[],
  widths: readonly number[],
  gutter: number,
): ColumnLayout {
  const starts = columnStarts(widths);
  return {
    starts,
    width: starts.at(-1) ?? 0,
    styles: widths.map((width, index) => ({ insetInlineStart: gutter + (starts[index] as number), inlineSize: width })),
    isRight: columns.map(({ type }) => isAlignedRight(type)),
  };
}
