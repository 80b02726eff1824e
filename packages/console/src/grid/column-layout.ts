import { type CSSProperties, useCallback, useMemo, useState } from 'react';
import { isAlignedRight } from '../result/cell-text.ts';
import type { ResultColumn, ResultView } from '../result/result-view.ts';

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
  const { columns, loadedRows, completeness } = view;
  const [resized, setResized] = useState<Resized>();
  const isSettled = loadedRows >= FITTED_ROWS || (loadedRows > 0 && completeness !== 'streaming');
  // biome-ignore lint/correctness/useExhaustiveDependencies: later rows of the same result do not change the widths
  const fitted = useMemo(() => fitColumns(view, text), [columns, isSettled, loadedRows > 0, text]);
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

function textMeasure(font: string): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) throw new Error('This browser has no canvas to measure text.');
  context.font = font;
  return (text) => context.measureText(text).width;
}

function characterWidth(measure: (text: string) => number): number {
  const sample = '0123456789abcdefghij';
  return measure(sample) / sample.length;
}

/** Reads the sizes that the style sheets give to the grid, which follow the user's font size. */
export function readGridSizes(): GridSizes {
  const style = getComputedStyle(document.documentElement);
  const rem = Number.parseFloat(style.fontSize);
  const font = (family: string) => `${inPixels(style, '--text-s', rem)}px ${style.getPropertyValue(family)}`;
  // Names of columns are bold, and would be cut off in the width of plain text.
  const measureName = textMeasure(`${style.getPropertyValue('--weight-strong')} ${font('--font-body')}`);
  return {
    rowHeight: Math.round(inPixels(style, '--grid-row', rem)),
    headerHeight: Math.round(inPixels(style, '--grid-head', rem)),
    gutter: Math.round(inPixels(style, '--grid-gutter', rem)),
    text: {
      character: characterWidth(textMeasure(font('--font-code'))),
      headerCharacter: characterWidth(measureName),
      measureName,
      padding: inPixels(style, '--grid-padding', rem),
    },
  };
}

export const COLUMN_WIDTH_MIN = 56;
/** Widest column that is not resized by hand. */
const FITTED_MAX = 340;
export const COLUMN_WIDTH_MAX = 2000;
/** Border of a cell, and a pixel for rounding. */
const BORDER = 2;
/** Rows whose values are measured. */
const SAMPLE_ROWS = 50;
/** Columns beyond this one get their width from name and type alone: measuring 5,000 of them would be a long task. */
const SAMPLE_COLUMNS = 200;

/** Sizes of the font of the grid, in pixels. */
interface TextSizes {
  /** Width of a character of the values. */
  readonly character: number;
  /** Width of a character of the column's name. */
  readonly headerCharacter: number;
  /** Returns the width of a column's name. Default: that of its characters. */
  readonly measureName?: (name: string) => number;
  /** Space at the sides of a cell. */
  readonly padding: number;
}

const clamp = (width: number, max: number): number => Math.round(Math.min(Math.max(width, COLUMN_WIDTH_MIN), max));

/** Width of a string in characters: those of East Asian scripts and emoji take two. */
function displayLength(text: string, max: number): number {
  const part = text.slice(0, max);
  return (
    part.length +
    (part.match(/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/g)?.length ?? 0)
  );
}

function headerWidth({ name, type }: ResultColumn, { headerCharacter, measureName }: TextSizes): number {
  const max = Math.ceil(FITTED_MAX / headerCharacter);
  const nameWidth = measureName?.(name.slice(0, max)) ?? displayLength(name, max) * headerCharacter;
  return Math.max(nameWidth, Math.min(type.length, 24) * headerCharacter);
}

/** Returns the width of each column in pixels, fitted to its name, its type and its first values. */
export function fitColumns(view: ResultView, sizes: TextSizes): number[] {
  const rows = Math.min(view.loadedRows, SAMPLE_ROWS);
  const max = Math.ceil(FITTED_MAX / sizes.character) + 2;
  return view.columns.map((column, index) => {
    let characters = 0;
    if (index < SAMPLE_COLUMNS)
      for (let row = 0; row < rows; row += 1) {
        const json = view.cell(row, index);
        // Without the quotes of a string.
        const quotes = json.startsWith('"') ? 2 : 0;
        characters = Math.max(characters, displayLength(json, max) - quotes);
      }
    const content = Math.max(headerWidth(column, sizes), characters * sizes.character);
    return clamp(content + sizes.padding * 2 + BORDER, FITTED_MAX);
  });
}

/** Returns the widths after a column got another one. */
export function resizeColumn(widths: readonly number[], column: number, width: number): number[] {
  return widths.map((each, index) => (index === column ? clamp(width, COLUMN_WIDTH_MAX) : each));
}

/** Returns the left edge of each column, and the right one of the last. */
export function columnStarts(widths: readonly number[]): Float64Array {
  const starts = new Float64Array(widths.length + 1);
  for (const [index, width] of widths.entries()) starts[index + 1] = (starts[index] as number) + width;
  return starts;
}
