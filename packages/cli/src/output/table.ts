import type { Column, RowText } from '@sluice/client';
import { visibleLine } from '@sluice/contract/visible-text';
import { ELLIPSIS, fitLine, hasUncertainWidth } from '../terminal/display-width.ts';
import type { Screen } from '../terminal/screen.ts';
import { cellText, isNumeric } from './cell-text.ts';
import type { FormatOptions, ResultWriter } from './result-writer.ts';

/** A column is cut to no less than this, so that a cell still says something. */
const CUT_WIDTH_MIN = 12;

interface ColumnWidths {
  /** Width of each column that is shown, from the left. */
  readonly widths: readonly number[];
  /** Number of columns at the right that are left out because they do not fit. */
  readonly hidden: number;
}

const total = (widths: readonly number[], gap: number): number =>
  widths.reduce((sum, width) => sum + width, gap * Math.max(0, widths.length - 1));

/** Cuts the widest columns to one width, the largest that fits. Columns that stay whole keep their width. */
function shrink(natural: readonly number[], gap: number, available: number, whole: readonly boolean[]) {
  const capped = (cap: number): number[] =>
    natural.map((width, index) => (whole[index] === true ? width : Math.min(width, cap)));
  let [fits, tooWide] = [1, Math.max(...natural, 1) + 1];
  while (tooWide - fits > 1) {
    const middle = Math.floor((fits + tooWide) / 2);
    if (total(capped(middle), gap) <= available) fits = middle;
    else tooWide = middle;
  }
  let spare = available - total(capped(fits), gap);
  return natural.map((width, index) => {
    if (whole[index] === true || width <= fits) return width;
    if (spare <= 0) return fits;
    spare -= 1;
    return fits + 1;
  });
}

/**
 * Returns whether columns fit when each is cut to the least width that is allowed.
 * @param whole - columns that are never cut, by index
 */
const canFit = (natural: readonly number[], gap: number, available: number, whole: readonly boolean[] = []): boolean =>
  total(
    natural.map((width, index) => (whole[index] === true ? width : Math.min(width, CUT_WIDTH_MIN))),
    gap,
  ) <= available;

/**
 * Fits columns into a line: first by cutting the widest ones, then by leaving out columns at the right.
 * @param natural - widths that show every cell whole
 * @param gap - columns between two columns
 * @param available - columns of the line
 * @param whole - columns that are never cut, by index, unless one alone is wider than the line
 */
function fitColumns(
  natural: readonly number[],
  gap: number,
  available: number,
  whole: readonly boolean[] = [],
): ColumnWidths {
  if (total(natural, gap) <= available) return { widths: natural, hidden: 0 };
  if (canFit(natural, gap, available, whole)) return { widths: shrink(natural, gap, available, whole), hidden: 0 };
  // One column is kept for the mark of those that are left out.
  const room = available - gap - 1;
  let shown = natural.length - 1;
  while (shown > 1 && !canFit(natural.slice(0, shown), gap, room, whole)) shown -= 1;
  const kept = natural.slice(0, shown);
  const widths = shrink(kept, gap, Math.max(room, 1), canFit(kept, gap, room, whole) ? whole : []);
  return { widths, hidden: natural.length - shown };
}

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

interface TableWriterOptions extends FormatOptions {
  readonly cellWidthMax: number;
}

/** The widths of the columns come from this many rows, or those of this time, or of this many characters. */
const SAMPLE_ROWS = 1000;
const SAMPLE_MS = 500;
const SAMPLE_CHARACTERS = 4_194_304;
/** Lines of a table besides its rows, and the prompt that follows. */
const OTHER_LINES = 3;

/** Prints a table as its rows arrive. NULL is `NULL`, the empty string nothing. */
class TableWriter implements ResultWriter {
  readonly #screen: Screen;
  readonly #options: TableWriterOptions;
  #columns: readonly Column[] = [];
  #sample: (readonly TableCell[])[] = [];
  #characters = 0;
  #firstMs: number | undefined;
  #table: Table | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(screen: Screen, options: TableWriterOptions) {
    this.#screen = screen;
    this.#options = options;
  }

  begin = async (columns: readonly Column[]): Promise<void> => {
    this.#columns = columns;
  };

  write = async (rows: readonly RowText[]): Promise<void> => {
    const table = this.#table;
    if (table !== undefined) return await this.#screen.write(rows.map((row) => table.row(row.map(cellText))).join(''));
    this.#firstMs ??= performance.now();
    for (const row of rows) {
      this.#sample.push(row.map(cellText));
      this.#characters += row.reduce((sum, { length }) => sum + length, 0);
    }
    if (this.#isEnough()) await this.#layOut(false);
    else this.#timer ??= setTimeout(() => void this.#layOutAfterPause(), SAMPLE_MS);
  };

  end = async (isComplete: boolean): Promise<void> => {
    clearTimeout(this.#timer);
    // Titles without rows would look like an empty result.
    const hasTable = isComplete ? this.#columns.length > 0 : this.#sample.length > 0;
    if (this.#table === undefined && hasTable) await this.#layOut(true);
  };

  /** Returns whether the sample is large or old enough. With a pager, a table that fits the screen is not begun: whether it fits is known at its end. */
  #isEnough(): boolean {
    if (this.#sample.length >= SAMPLE_ROWS || this.#characters >= SAMPLE_CHARACTERS) return true;
    const isWaiting = this.#screen.hasPager && !this.#isLong();
    return !isWaiting && performance.now() - (this.#firstMs ?? 0) >= SAMPLE_MS;
  }

  /** Shows the first rows of a query that has become slow. */
  async #layOutAfterPause(): Promise<void> {
    this.#timer = undefined;
    if (this.#table !== undefined || !this.#isEnough()) return;
    // What fails here fails again at the next write.
    await this.#layOut(false).catch(() => undefined);
  }

  #isLong(): boolean {
    return this.#sample.length + OTHER_LINES > this.#screen.rows;
  }

  async #layOut(isWhole: boolean): Promise<void> {
    clearTimeout(this.#timer);
    const columns = this.#columns.map((column) => ({ title: column.name, isRight: isNumeric(column) }));
    const { nullText = 'NULL', hasColor, cellWidthMax } = this.#options;
    const width = this.#screen.columns;
    const options: TableOptions = { width, nullText, hasColor, cellWidthMax };
    const isWide = width !== undefined && !fitsScreen(columns, this.#sample, { ...options, width });
    const isPaged = this.#screen.hasPager && (isWide || this.#isLong());
    if (isPaged) this.#screen.openPager();
    // A pager scrolls to the sides, so every column is there.
    const table = createTable(columns, this.#sample, {
      ...options,
      width: isPaged && isWide ? undefined : width,
      movesCursor: width !== undefined && (isWhole ? !isPaged : !this.#screen.hasPager),
    });
    this.#table = table;
    const text = `${table.header}${this.#sample.map(table.row).join('')}`;
    this.#sample = [];
    await this.#screen.write(text);
    if (table.hidden.length > 0)
      this.#screen.note(
        `${table.hidden.length} of ${columns.length} columns ${table.hidden.length === 1 ? 'does' : 'do'} not fit. Use --format vertical, or select fewer columns.`,
      );
  }
}

/** Creates a writer of tables. Cells longer than those of the first rows are cut with an ellipsis. */
export const createTableWriter = (screen: Screen, options: TableWriterOptions): ResultWriter =>
  new TableWriter(screen, options);
