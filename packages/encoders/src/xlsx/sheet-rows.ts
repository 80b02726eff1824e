import { ROW_MARK } from './cell-xml.ts';
import { numberRows } from './number-rows.ts';
import type { RowsChunk } from './rows-chunk.ts';

const MARK = ROW_MARK.charCodeAt(0);

/** Rows of one result, read sheet by sheet. */
export class SheetRows {
  readonly #chunks: AsyncIterator<RowsChunk>;
  #next: RowsChunk | undefined;

  constructor(chunks: AsyncIterator<RowsChunk>) {
    this.#chunks = chunks;
  }

  /** Returns whether rows are left; waits for the next rows to find out. */
  async hasMore(): Promise<boolean> {
    if (this.#next !== undefined) return true;
    const step = await this.#chunks.next();
    if (step.done !== true) this.#next = step.value;
    return this.#next !== undefined;
  }

  /**
   * Returns at most this many rows, or all that are left. Each piece is valid until the next is requested, because its memory is
   * reused.
   */
  async *take(rowsMax: number): AsyncGenerator<Uint8Array, number> {
    const numbered = numberRows(2);
    let rows = 0;
    while (rows < rowsMax && (await this.hasMore())) {
      const chunk = this.#next as RowsChunk;
      if (rows + chunk.rows <= rowsMax) {
        this.#next = undefined;
        rows += chunk.rows;
        yield numbered(chunk.bytes);
      } else {
        const wanted = rowsMax - rows;
        const at = startOfRow(chunk.bytes, wanted);
        this.#next = { rows: chunk.rows - wanted, bytes: chunk.bytes.subarray(at) };
        rows = rowsMax;
        yield numbered(chunk.bytes.subarray(0, at));
      }
    }
    return rows;
  }
}

/** Returns the index after this many rows. The first row may have started in another chunk. */
function startOfRow(bytes: Uint8Array, rows: number): number {
  let at = bytes[0] === MARK ? 0 : bytes.indexOf(MARK);
  for (let row = bytes[0] === MARK ? 0 : 1; row < rows; row += 1) at = bytes.indexOf(MARK, at + 1);
  return at;
}
