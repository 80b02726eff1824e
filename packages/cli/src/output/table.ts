import { ELLIPSIS, fitLine, hasUncertainWidth } from '../terminal/display-width.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { canFit, fitColumns } from './column-widths.ts';

export interface TableColumn {
  readonly title: string;
  /** Numbers are aligned to the right. */
  readonly isRight?: boolean;
  /** Never cut, because a part is of no use: an id. Another column is cut or left out instead. */
  readonly isWhole?: boolean;
}

/** Text of a cell. `null` is shown as `nullText`. */
export type TableCell = string | null;

export interface TableOptions {
  /** Columns of the screen. Undefined: a line may have any length. */
  readonly width?: number | undefined;
  /** Widest cell in columns. Longer ones are cut. Default: 120. */
  readonly cellWidthMax?: number;
  /** Default: the empty string. */
  readonly nullText?: string;
  readonly hasColor?: boolean;
  /** Whether lines go to a terminal itself, not to a pager or file: then cells of uncertain width are aligned by moving the cursor. */
  readonly movesCursor?: boolean;
}

export interface Table {
  /** Titles and the line below them, with line feeds. */
  readonly header: string;
  /** One row, with its line feed. */
  readonly row: (cells: readonly TableCell[]) => string;
  /** Titles of columns that did not fit. */
  readonly hidden: readonly string[];
}

const SEPARATOR = ' | ';
/** A table begins and ends each line with one space, as psql does. */
const MARGIN = 2;
const CELL_WIDTH_MAX = 120;
const ESC = '\u001b';

/** Widths that show titles and cells of these rows whole, up to the limit of a cell. */
function naturalWidths(
  columns: readonly TableColumn[],
  rows: readonly (readonly TableCell[])[],
  options: TableOptions,
) {
  const { cellWidthMax = CELL_WIDTH_MAX, nullText = '' } = options;
  return columns.map(({ title }, index) => {
    let width = Math.max(1, fitLine(title, cellWidthMax).width);
    for (const row of rows) width = Math.max(width, fitLine(row[index] ?? nullText, cellWidthMax).width);
    return width;
  });
}

/** Returns whether a table of these rows fits the screen, if need be with cells cut but no column left out. */
export const fitsScreen = (
  columns: readonly TableColumn[],
  rows: readonly (readonly TableCell[])[],
  options: TableOptions & { readonly width: number },
): boolean =>
  canFit(naturalWidths(columns, rows, options), SEPARATOR.length, options.width - MARGIN, wholeColumns(columns));

const wholeColumns = (columns: readonly TableColumn[]): readonly boolean[] =>
  columns.map(({ isWhole }) => isWhole === true);

function fit(columns: readonly TableColumn[], natural: readonly number[], width: number | undefined) {
  if (width === undefined) return { widths: natural, hidden: 0 };
  return fitColumns(natural, SEPARATOR.length, width - MARGIN, wholeColumns(columns));
}

/**
 * Lays out a table. Its widths come from the sample; a cell that is longer is cut with an ellipsis.
 * @param sample - the first rows, or all
 */
export function createTable(
  columns: readonly TableColumn[],
  sample: readonly (readonly TableCell[])[],
  options: TableOptions = {},
): Table {
  const { nullText = '', hasColor = false, movesCursor = false } = options;
  const { widths, hidden } = fit(columns, naturalWidths(columns, sample, options), options.width);
  const style = (code: number, end: number, text: string): string =>
    hasColor ? `${ESC}[${code}m${text}${ESC}[${end}m` : text;
  const rest = hidden > 0 ? `${SEPARATOR}${ELLIPSIS}` : '';
  const starts = widths.map((_, index) =>
    widths.slice(0, index).reduce((sum, each) => sum + each + SEPARATOR.length, 2),
  );

  const drawCell = (value: TableCell, index: number, isRight: boolean): string => {
    const width = widths[index] ?? 1;
    const cell = fitLine(value ?? nullText, width);
    const padding = ' '.repeat(width - cell.width);
    const text = value === null ? style(2, 22, cell.text) : cell.text;
    const mayDrift = movesCursor && hasUncertainWidth(cell.text);
    const isLast = index === widths.length - 1 && hidden === 0;
    // CHA (ECMA-48 8.3.9) moves to a column, wherever the terminal believes the text to end.
    const move = mayDrift && !isLast ? `${ESC}[${(starts[index] ?? 0) + width}G` : '';
    if (isRight) return `${padding}${text}${move}`;
    return isLast ? text : `${text}${padding}${move}`;
  };
  const line = (cells: readonly TableCell[], draw: typeof drawCell): string =>
    widths.map((_, index) => draw(cells[index] ?? null, index, columns[index]?.isRight ?? false)).join(SEPARATOR);
  const titles = line(
    columns.map(({ title }) => title),
    (title, index, isRight) => style(1, 22, drawCell(title, index, isRight)),
  );
  const rule = widths.map((width) => '-'.repeat(width + 2)).join('+');
  return {
    header: ` ${titles}${rest}\n${rule}${hidden > 0 ? '+--' : ''}\n`,
    row: (cells) => ` ${line(cells, drawCell)}${rest}\n`,
    hidden: hidden === 0 ? [] : columns.slice(-hidden).map(({ title }) => title),
  };
}

/** Returns a whole table, for lists that are in memory. Columns that do not fit are named below it. */
export function renderTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly TableCell[])[],
  options: TableOptions = {},
): string {
  const table = createTable(columns, rows, options);
  const note = table.hidden.length === 0 ? '' : `Not shown: ${table.hidden.map(visibleLine).join(', ')}.\n`;
  return `${table.header}${rows.map(table.row).join('')}${note}`;
}
