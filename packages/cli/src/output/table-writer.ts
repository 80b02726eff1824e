import type { Column, RowText } from '@sluice/client';
import type { Screen } from '../terminal/screen.ts';
import { cellText, isNumeric } from './cell-text.ts';
import type { FormatOptions, ResultWriter } from './result-writer.ts';
import { createTable, fitsScreen, type Table, type TableCell, type TableOptions } from './table.ts';

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
