import type { RowsChunk } from './rows-chunk.ts';

const ROW_END = Buffer.from('</row>');

/** Rows of one result, taken sheet by sheet. */
export class SheetRows {
  readonly #chunks: AsyncIterator<RowsChunk>;
  #next: RowsChunk | undefined;

  constructor(chunks: AsyncIterator<RowsChunk>) {
    this.#chunks = chunks;
  }

  /** Whether there are rows that were not taken; waits for the next ones to know. */
  async hasMore(): Promise<boolean> {
    if (this.#next !== undefined) return true;
    const step = await this.#chunks.next();
    if (step.done !== true) this.#next = step.value;
    return this.#next !== undefined;
  }

  /** The bytes of so many rows, or of all that are left. */
  async *take(rowsMax: number): AsyncGenerator<Uint8Array, number> {
    let rows = 0;
    while (rows < rowsMax && (await this.hasMore())) {
      const chunk = this.#next as RowsChunk;
      if (rows + chunk.rows <= rowsMax) {
        this.#next = undefined;
        rows += chunk.rows;
        yield chunk.bytes;
      } else {
        const wanted = rowsMax - rows;
        const at = endOfRow(chunk.bytes, wanted);
        this.#next = { rows: chunk.rows - wanted, bytes: chunk.bytes.subarray(at) };
        rows = rowsMax;
        yield chunk.bytes.subarray(0, at);
      }
    }
    return rows;
  }
}

/** Index behind the row of this number. Texts are escaped, so what ends a row stands nowhere else. */
function endOfRow(bytes: Uint8Array, rows: number): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  for (let row = 0; row < rows; row += 1) at = buffer.indexOf(ROW_END, at) + ROW_END.length;
  return at;
}
