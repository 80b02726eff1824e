import { type CSSProperties, useCallback, useMemo, useState } from 'react';
import { isAlignedRight } from '../result/cell-text.ts';
import type { ResultColumn, ResultView } from '../result/result-view.ts';
import { columnStarts, fitColumns, resizeColumn, type TextSizes } from './column-widths.ts';

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
function layOutColumns(columns: readonly ResultColumn[], widths: readonly number[], gutter: number): ColumnLayout {
  const starts = columnStarts(widths);
  return {
    starts,
    width: starts.at(-1) ?? 0,
    styles: widths.map((width, index) => ({ insetInlineStart: gutter + (starts[index] as number), inlineSize: width })),
    isRight: columns.map(({ type }) => isAlignedRight(type)),
  };
}

/** Rows after which widths stay as they are, so that columns do not move while rows arrive. */
const FITTED_ROWS = 20;

/** Widths that the user has set for the columns of one result. */
interface Resized {
  readonly columns: readonly ResultColumn[];
  readonly widths: readonly number[];
}

/** Returns the layout of the columns of a view, and functions to change it. */
export function useColumnLayout(view: ResultView, { gutter, text }: GridSizes) {
  const { columns, keptRows, completeness } = view;
  const [resized, setResized] = useState<Resized>();
  const isSettled = keptRows >= FITTED_ROWS || (keptRows > 0 && completeness !== 'streaming');
  // biome-ignore lint/correctness/useExhaustiveDependencies: later rows of the same result do not change the widths
  const fitted = useMemo(() => fitColumns(view, text), [columns, isSettled, keptRows > 0, text]);
  const widths = resized?.columns === columns ? resized.widths : fitted;
  const layout = useMemo(() => layOutColumns(columns, widths, gutter), [columns, widths, gutter]);
  const setWidth = useCallback(
    (column: number, width: number) => setResized({ columns, widths: resizeColumn(widths, column, width) }),
    [columns, widths],
  );
  const fit = useCallback(
    (column: number) => setWidth(column, fitColumns(view, text)[column] ?? 0),
    [setWidth, view, text],
  );
  return { layout, widths, setWidth, fit };
}

/** Sizes of the grid in pixels, as grid.css takes them from the theme. */
interface GridSizes {
  readonly rowHeight: number;
  readonly headerHeight: number;
  /** Width of the column of row numbers. */
  readonly gutter: number;
  readonly text: TextSizes;
}

/** Custom properties of grid.css are multiples of the size of the root's font. */
const inPixels = (style: CSSStyleDeclaration, name: string, rem: number): number =>
  Number.parseFloat(style.getPropertyValue(name)) * rem;

function characterWidth(font: string): number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) throw new Error('This browser has no canvas to measure text.');
  context.font = font;
  const sample = '0123456789abcdefghij';
  return context.measureText(sample).width / sample.length;
}

/** Reads the sizes that the style sheets give to the grid, which follow the user's font size. */
export function readGridSizes(): GridSizes {
  const style = getComputedStyle(document.documentElement);
  const rem = Number.parseFloat(style.fontSize);
  const font = (family: string) => `${inPixels(style, '--text-s', rem)}px ${style.getPropertyValue(family)}`;
  return {
    rowHeight: Math.round(inPixels(style, '--grid-row', rem)),
    headerHeight: Math.round(inPixels(style, '--grid-head', rem)),
    gutter: Math.round(inPixels(style, '--grid-gutter', rem)),
    text: {
      character: characterWidth(font('--font-code')),
      // Names of columns are bold, and would be cut off in the width of plain text.
      headerCharacter: characterWidth(`${style.getPropertyValue('--weight-strong')} ${font('--font-body')}`),
      padding: inPixels(style, '--grid-padding', rem),
    },
  };
}
