import type { ResultColumn, ResultView } from '../result/result-view.ts';

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
export interface TextSizes {
  /** Width of a character of the values. */
  readonly character: number;
  /** Width of a character of the column's name. */
  readonly headerCharacter: number;
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

function headerWidth({ name, type }: ResultColumn, sizes: TextSizes): number {
  const max = Math.ceil(FITTED_MAX / sizes.headerCharacter);
  return Math.max(displayLength(name, max), Math.min(type.length, 24)) * sizes.headerCharacter;
}

/** Returns the width of each column in pixels, fitted to its name, its type and its first values. */
export function fitColumns(view: ResultView, sizes: TextSizes): number[] {
  const rows = Math.min(view.keptRows, SAMPLE_ROWS);
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
