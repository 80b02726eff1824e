import { LONG_STRING, ROW_MARK } from './cell-xml.ts';
import { LongString } from './long-string.ts';
import type { RowsChunk } from './rows-chunk.ts';

/** A part of a string that was cut in its cell. */
export interface OverflowPart {
  /** Row of the result, from 0. */
  readonly row: number;
  /** Column, from 0. */
  readonly column: number;
  /** Number of the part, from 1. */
  readonly part: number;
  readonly xml: string;
}

const OPEN = LONG_STRING.open.charCodeAt(0);
const CLOSE = LONG_STRING.close.charCodeAt(0);
const ROW = ROW_MARK.charCodeAt(0);
const CELL = Buffer.from('<c');

/**
 * Cuts strings that are longer than a cell, and passes their parts to `overflow` before their row continues. Rows without such a
 * text, which is nearly all, cost one search for one byte.
 */
export async function* shortenCells(
  chunks: AsyncIterable<RowsChunk>,
  overflow: (part: OverflowPart) => Promise<void>,
): AsyncGenerator<RowsChunk> {
  const shortener = new CellShortener();
  for await (const chunk of chunks) {
    const shortened = shortener.push(chunk);
    for (const part of shortener.takeParts()) await overflow(part);
    yield shortened;
  }
}

class CellShortener {
  /** Rows that have started. */
  #rows = 0;
  /** Cells that have started in the current row. */
  #cells = 0;
  #isInRow = false;
  #long: LongString | undefined;
  #output: Uint8Array[] = [];
  #parts: OverflowPart[] = [];

  push(chunk: RowsChunk): RowsChunk {
    const bytes = Buffer.from(chunk.bytes.buffer, chunk.bytes.byteOffset, chunk.bytes.byteLength);
    const isPiece = this.#isInRow || chunk.rows === 0;
    this.#isInRow = chunk.rows === 0;
    if (!isPiece && !bytes.includes(OPEN)) {
      this.#rows += chunk.rows;
      return chunk;
    }
    this.#output = [];
    for (let at = 0; at < bytes.length; ) at = this.#long === undefined ? this.#copy(bytes, at) : this.#cut(bytes, at);
    return { rows: chunk.rows, bytes: Buffer.concat(this.#output) };
  }

  takeParts(): readonly OverflowPart[] {
    const parts = this.#parts;
    if (parts.length > 0) this.#parts = [];
    return parts;
  }

  /** Copies up to the next long text. */
  #copy(bytes: Buffer, from: number): number {
    const found = bytes.indexOf(OPEN, from);
    const end = found === -1 ? bytes.length : found;
    this.#output.push(bytes.subarray(from, end));
    this.#countRows(bytes.subarray(from, end));
    if (found === -1) return end;
    const row = this.#rows - 1;
    const column = this.#cells - 1;
    let part = 0;
    this.#long = new LongString({
      shorten: (xml) => this.#output.push(Buffer.from(xml)),
      overflow: (xml) => {
        part += 1;
        this.#parts.push({ row, column, part, xml });
      },
    });
    return end + 1;
  }

  /** Copies up to the end of a long string. */
  #cut(bytes: Buffer, from: number): number {
    const found = bytes.indexOf(CLOSE, from);
    const end = found === -1 ? bytes.length : found;
    this.#long?.push(bytes.subarray(from, end));
    if (found === -1) return end;
    this.#long?.end();
    this.#long = undefined;
    return end + 1;
  }

  #countRows(bytes: Buffer): void {
    let from = 0;
    for (let mark = bytes.indexOf(ROW); mark !== -1; mark = bytes.indexOf(ROW, from)) {
      this.#rows += 1;
      this.#cells = 0;
      from = mark + 1;
    }
    for (let cell = bytes.indexOf(CELL, from); cell !== -1; cell = bytes.indexOf(CELL, cell + 1)) this.#cells += 1;
  }
}
