import type { Completeness, ResultColumn, ResultView } from './result-view.ts';

/** Rows that are stored together. Only the last chunk holds fewer, unless its text is larger than CHUNK_CHARACTERS. */
export const CHUNK_ROWS = 4096;
/** A chunk is closed at this length, so that joining its text keeps the thread busy for a few milliseconds at most. */
const CHUNK_CHARACTERS = 1_048_576;
const CHUNK_CELLS = 65_536;
/** Memory for the text of the rows of one tab and the positions of its cells, in bytes. */
export const ROW_TEXT_MAX_BYTES = 256 * 1024 * 1024;
const OFFSET_BYTES = 4;
const TWO_BYTE = /[^\0-\xff]/;
const NOT_ASCII = /[^\0-\x7f]/;
const encoder = new TextEncoder();

/** Returns the length of a text in UTF-8. */
const utf8Bytes = (text: string): number => (NOT_ASCII.test(text) ? encoder.encode(text).length : text.length);

/** Closed rows: one string for all cells, and the index where each begins. One object a chunk instead of one a cell. */
interface Chunk {
  readonly firstRow: number;
  readonly rows: number;
  readonly text: string;
  readonly offsets: Uint32Array;
}

/**
 * Rows of one execution in the order of their arrival, append only. Rows are the JSON of their values by position. When the
 * memory is used up, later rows are counted and dropped, so what is kept is always the beginning of the result.
 */
export class RowStore {
  readonly columns: readonly ResultColumn[];
  readonly #maxBytes: number;
  readonly #chunks: Chunk[] = [];
  /** Cells of the chunk that is still open, row by row. */
  #openCells: string[] = [];
  #openRows = 0;
  #openCharacters = 0;
  #closedRows = 0;
  #closedBytes = 0;
  #closedTextBytes = 0;
  #receivedRows = 0;
  #isFull = false;

  constructor(columns: readonly ResultColumn[], maxBytes = ROW_TEXT_MAX_BYTES) {
    this.columns = columns;
    this.#maxBytes = maxBytes;
  }

  get receivedRows(): number {
    return this.#receivedRows;
  }

  get loadedRows(): number {
    return this.#closedRows + this.#openRows;
  }

  /** Bytes of the rows in memory, at two bytes a character for rows that are not closed yet. */
  get keptBytes(): number {
    return this.#closedBytes + this.#openCharacters * 2 + this.#openCells.length * OFFSET_BYTES;
  }

  /** Bytes of the JSON text of all values in memory, in UTF-8. */
  get textBytes(): number {
    return this.#closedTextBytes + utf8Bytes(this.#openCells.join(''));
  }

  /**
   * Adds rows at the end.
   * @throws RangeError if a row has another number of cells than there are columns
   */
  append(rows: readonly (readonly string[])[]): void {
    for (const row of rows) {
      if (row.length !== this.columns.length)
        throw new RangeError(`A row has ${row.length} values for ${this.columns.length} columns.`);
      this.#receivedRows += 1;
      if (!this.#isFull) this.#keep(row);
    }
  }

  /** Counts rows that the host keeps and that are not read. Later rows are counted and dropped. */
  skip(rows: number): void {
    this.#receivedRows += rows;
    this.#isFull = true;
  }

  /** Frees the memory of the rows. Later rows are counted and dropped. */
  release(): void {
    this.#chunks.length = 0;
    this.#openCells = [];
    this.#openRows = 0;
    this.#openCharacters = 0;
    this.#closedRows = 0;
    this.#closedBytes = 0;
    this.#closedTextBytes = 0;
    this.#isFull = true;
  }

  #keep(row: readonly string[]): void {
    let characters = 0;
    for (const cell of row) characters += cell.length;
    if (this.keptBytes + characters * 2 + row.length * OFFSET_BYTES > this.#maxBytes) {
      // Text of one byte a character takes half of the estimate.
      this.#closeChunk();
      this.#isFull = this.keptBytes + characters * 2 + row.length * OFFSET_BYTES > this.#maxBytes;
      if (this.#isFull) return;
    }
    for (const cell of row) this.#openCells.push(cell);
    this.#openRows += 1;
    this.#openCharacters += characters;
    if (
      this.#openRows === CHUNK_ROWS ||
      this.#openCharacters >= CHUNK_CHARACTERS ||
      this.#openCells.length >= CHUNK_CELLS
    )
      this.#closeChunk();
  }

  #closeChunk(): void {
    if (this.#openRows === 0) return;
    const cells = this.#openCells;
    const offsets = new Uint32Array(cells.length + 1);
    let end = 0;
    for (let index = 0; index < cells.length; index += 1) {
      end += (cells[index] as string).length;
      offsets[index + 1] = end;
    }
    const text = cells.join('');
    this.#chunks.push({ firstRow: this.#closedRows, rows: this.#openRows, text, offsets });
    this.#closedRows += this.#openRows;
    this.#closedBytes += text.length * (TWO_BYTE.test(text) ? 2 : 1) + cells.length * OFFSET_BYTES;
    this.#closedTextBytes += utf8Bytes(text);
    this.#openCells = [];
    this.#openRows = 0;
    this.#openCharacters = 0;
  }

  /**
   * Returns the JSON text of a value.
   * @throws RangeError if there is no such row or column
   */
  cell(row: number, column: number): string {
    const width = this.columns.length;
    if (!(row >= 0 && row < this.loadedRows && column >= 0 && column < width))
      throw new RangeError(`There is no row ${row} or column ${column}.`);
    if (row >= this.#closedRows) return this.#openCells[(row - this.#closedRows) * width + column] as string;
    const { firstRow, text, offsets } = this.#chunkOf(row);
    const index = (row - firstRow) * width + column;
    return text.slice(offsets[index], offsets[index + 1]);
  }

  #chunkOf(row: number): Chunk {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#chunks[middle] as Chunk).firstRow <= row) low = middle;
      else high = middle - 1;
    }
    return this.#chunks[low] as Chunk;
  }

  /** Returns the rows so far as a view, which does not change when more rows arrive. */
  view(completeness: Completeness): ResultView {
    const { loadedRows } = this;
    return {
      columns: this.columns,
      completeness,
      receivedRows: this.#receivedRows,
      loadedRows,
      cell: (row, column) => {
        if (row >= loadedRows) throw new RangeError(`There is no row ${row} or column ${column}.`);
        return this.cell(row, column);
      },
    };
  }
}
