import { TRINO_ROW_SEPARATOR } from '@sluice/encoders';
import type { RowChunk } from './row-source.ts';

/** Bytes of rows after which a page ends, at the end of a row. */
export const PAGE_BYTES = 1024 * 1024;

/** The same for the first page of a result: an interactive client shows it while the next one is made. */
const FIRST_PAGE_BYTES = 256 * 1024;

/**
 * Bytes of one result in memory from which on no more are taken: the page that the client reads, and the next one. Two pages keep a client
 * busy that reads as fast as the engine writes, and more would only be read by slower clients, for which the store is.
 */
const MEMORY_BYTES_MAX = 2 * PAGE_BYTES;

/** Rows of one page. */
export interface BufferedPage {
  readonly firstRow: number;
  readonly rows: number;
  readonly bytes: number;
  /** The rows, with separators between them. */
  readonly pieces: readonly Uint8Array[];
}

interface OpenPage {
  firstRow: number;
  rows: number;
  bytes: number;
  pieces: Uint8Array[];
}

const newPage = (firstRow: number): OpenPage => ({ firstRow, rows: 0, bytes: 0, pieces: [] });

/** Rows of one result that its client has not read, and the page that it read last. */
export class PageBuffer {
  readonly #pages: BufferedPage[] = [];
  #open = newPage(0);
  #bytes = 0;
  #isInRow = false;

  get bytes(): number {
    return this.#bytes;
  }

  /** Number of all rows that were added. */
  get endRow(): number {
    return this.#open.firstRow + this.#open.rows;
  }

  /** True if no more rows shall be added until some are read. Never true in the middle of a row. */
  get isFull(): boolean {
    return this.#bytes >= MEMORY_BYTES_MAX && !this.#isInRow;
  }

  /** Whether the page after this many rows will not grow any more. */
  hasPage(firstRow: number): boolean {
    return this.#pages.some((page) => page.firstRow === firstRow);
  }

  /** Adds rows. The bytes are copied. */
  add({ rows, bytes }: RowChunk): void {
    const isFirst = this.#open.pieces.length === 0;
    const from = isFirst && this.#open.firstRow > 0 ? TRINO_ROW_SEPARATOR.length : 0;
    const piece = Buffer.from(bytes.subarray(from));
    this.#open.pieces.push(piece);
    this.#open.rows += rows;
    this.#open.bytes += piece.byteLength;
    this.#bytes += piece.byteLength;
    this.#isInRow = rows === 0;
    const bytesMax = this.#open.firstRow === 0 ? FIRST_PAGE_BYTES : PAGE_BYTES;
    // Chunks are at most 256 KiB, apart from large rows.
    if (!this.#isInRow && this.#open.bytes > bytesMax - bytes.byteLength) this.#close();
  }

  /**
   * Returns the page that begins after this many rows, as far as it is there, and forgets the pages before it. Undefined: no rows from there
   * on are in memory.
   */
  take(firstRow: number): BufferedPage | undefined {
    if (firstRow === this.#open.firstRow && this.#open.rows > 0 && !this.#isInRow) this.#close();
    const found = this.#pages.find((page) => page.firstRow === firstRow);
    if (found !== undefined || firstRow === this.#open.firstRow) this.#forgetBefore(firstRow);
    return found;
  }

  /** Whether rows from this number on will follow in this memory. */
  isNext(firstRow: number): boolean {
    return firstRow === this.#open.firstRow;
  }

  clear(): void {
    this.#pages.length = 0;
    this.#open = newPage(this.endRow);
    this.#bytes = 0;
  }

  #close(): void {
    this.#pages.push(this.#open);
    this.#open = newPage(this.endRow);
  }

  #forgetBefore(firstRow: number): void {
    for (;;) {
      const [page] = this.#pages;
      if (page === undefined || page.firstRow >= firstRow) return;
      this.#pages.shift();
      this.#bytes -= page.bytes;
    }
  }
}
