import type { ResultColumn, ResultView, RowPages } from '../result/result-view.ts';
import { EMPTY_VIEW } from '../result/result-view.ts';

/** Rows by position: the JSON text of each value. */
type Rows = readonly (readonly string[])[];

/** Memory for the rows of one tab that are read when they are shown, in bytes of two-byte characters. */
const CACHE_MAX_BYTES = 16 * 1024 * 1024;
/** Pages that stay although they are larger: those around the viewport. */
const PAGES_MIN = 3;
/** Pages that are read at the same time. */
const READS_MAX = 2;
/** Pause after the last movement before pages are asked for, so that a drag of the scroll bar reads only where it ends. */
const SETTLE_MS = 80;

interface Page {
  readonly rows: Rows;
  readonly bytes: number;
}

interface PageCacheOptions {
  readonly columns: readonly ResultColumn[];
  /** Rows of the whole result. */
  readonly rows: number;
  /** Rows of a page. */
  readonly pageRows: number;
  /** Reads rows from the host, `size` of them at most. */
  readonly read: (from: number, size: number) => Promise<Rows>;
  /** Returns the sentence of an error. */
  readonly describe: (error: unknown) => string;
  readonly onChange: () => void;
  readonly maxBytes?: number;
  readonly settleMs?: number;
}

const bytesOf = (rows: Rows): number =>
  2 * rows.reduce((sum, row) => sum + row.reduce((length, cell) => length + cell.length, 0), 0);

/** Rows of a kept result, read in pages as they are shown. The pages that were shown longest ago are dropped first. */
export class PageCache implements RowPages {
  readonly #options: PageCacheOptions;
  /** Pages by number, the one that was shown last at the end. */
  readonly #pages = new Map<number, Page>();
  readonly #reading = new Set<number>();
  /** Numbers of the pages that are shown now. */
  #wanted: readonly number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failure: string | undefined;
  #bytes = 0;

  constructor(options: PageCacheOptions) {
    this.#options = options;
  }

  get rows(): number {
    return this.#options.rows;
  }

  get failure(): string | undefined {
    return this.#failure;
  }

  /** Bytes of the rows in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  has(row: number): boolean {
    return this.#pages.has(this.#pageOf(row));
  }

  cell(row: number, column: number): string | undefined {
    const page = this.#pageOf(row);
    return this.#pages.get(page)?.rows[row - page * this.#options.pageRows]?.[column];
  }

  show(first: number, last: number): void {
    const end = Math.min(last, this.rows);
    const numbers: number[] = [];
    for (let page = this.#pageOf(first); page * this.#options.pageRows < end; page += 1) numbers.push(page);
    this.#wanted = numbers;
    for (const number of numbers) this.#touch(number);
    clearTimeout(this.#timer);
    if (this.#missing().length > 0)
      this.#timer = setTimeout(() => this.#readMissing(), this.#options.settleMs ?? SETTLE_MS);
  }

  async read(first: number, last: number): Promise<ResultView> {
    const { columns, pageRows, read } = this.#options;
    const end = Math.min(last, this.rows);
    const pages = new Map<number, Rows>();
    for (let page = this.#pageOf(first); page * pageRows < end; page += 1) {
      const rows = this.#pages.get(page)?.rows ?? (await read(page * pageRows, pageRows));
      pages.set(page, rows);
    }
    return {
      ...EMPTY_VIEW,
      columns,
      completeness: 'complete',
      receivedRows: this.rows,
      loadedRows: this.rows,
      cell: (row, column) => {
        const page = this.#pageOf(row);
        const json = pages.get(page)?.[row - page * pageRows]?.[column];
        if (json === undefined) throw new RangeError(`There is no row ${row} or column ${column}.`);
        return json;
      },
    };
  }

  /** Frees the memory of all pages. Those that are shown again are read again. */
  clear(): void {
    this.#pages.clear();
    this.#bytes = 0;
  }

  #pageOf(row: number): number {
    return Math.floor(Math.max(0, row) / this.#options.pageRows);
  }

  #touch(number: number): void {
    const page = this.#pages.get(number);
    if (page === undefined) return;
    this.#pages.delete(number);
    this.#pages.set(number, page);
  }

  #missing(): number[] {
    return this.#wanted.filter((number) => !this.#pages.has(number) && !this.#reading.has(number));
  }

  #readMissing(): void {
    for (const number of this.#missing().slice(0, READS_MAX - this.#reading.size)) void this.#readPage(number);
  }

  /** Reads a page, and then what is shown by that time. A failure waits for the next movement, which tries again. */
  async #readPage(number: number): Promise<void> {
    const { pageRows, read, describe, onChange } = this.#options;
    this.#reading.add(number);
    try {
      const rows = await read(number * pageRows, pageRows);
      this.#put(number, { rows, bytes: bytesOf(rows) });
      this.#failure = undefined;
    } catch (error) {
      this.#failure = describe(error);
    } finally {
      this.#reading.delete(number);
    }
    onChange();
    if (this.#failure === undefined) this.#readMissing();
  }

  #put(number: number, page: Page): void {
    this.#pages.set(number, page);
    this.#bytes += page.bytes;
    const shown = new Set(this.#wanted);
    for (const [oldest, { bytes }] of this.#pages) {
      const mayStay = this.#bytes <= (this.#options.maxBytes ?? CACHE_MAX_BYTES) || this.#pages.size <= PAGES_MIN;
      if (mayStay) return;
      if (shown.has(oldest)) continue;
      this.#pages.delete(oldest);
      this.#bytes -= bytes;
    }
  }
}
