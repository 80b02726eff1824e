const LINE_BREAK = 0x0a;
/** Each row event is one `data:` line and a blank one. */
const LINES_OF_ROW = 2;
/** Longest `id` line: 16 digits are more rows than a double counts. */
const ID_BYTES_MAX = 'id: 9007199254740991\n'.length;

/**
 * Adds an `id` line before each row event of a stream: the number of rows up to and including this one, so that a reader that reconnects
 * sends it as `Last-Event-ID` (HTML standard, section 9.2). The other bytes stay as they are.
 */
export class RowNumbers {
  #row: number;
  /** Line breaks of the current row so far; 0 at its start. */
  #lines = 0;
  #isInRow = false;

  /** @param row - number of rows before the first one */
  constructor(row: number) {
    this.#row = row;
  }

  /** True after a piece of a row that is not its last one. */
  get isInRow(): boolean {
    return this.#isInRow;
  }

  /** Returns a copy of row events with their ids. At most `rows` rows end in these bytes. A row may be split into pieces anywhere. */
  add(bytes: Uint8Array, rows: number): Uint8Array {
    const numbered = Buffer.allocUnsafe(bytes.byteLength + (rows + 1) * ID_BYTES_MAX);
    let [written, from] = [0, 0];
    while (from < bytes.byteLength) {
      if (!this.#isInRow) {
        this.#row += 1;
        written += numbered.write(`id: ${this.#row}\n`, written, 'latin1');
        this.#isInRow = true;
      }
      const to = this.#endOfRow(bytes, from);
      numbered.set(bytes.subarray(from, to), written);
      written += to - from;
      from = to;
    }
    return numbered.subarray(0, written);
  }

  /** Returns the index after the row that continues at `from`, or the end of the bytes if it goes on after them. */
  #endOfRow(bytes: Uint8Array, from: number): number {
    for (let at = bytes.indexOf(LINE_BREAK, from); at !== -1; at = bytes.indexOf(LINE_BREAK, at + 1)) {
      this.#lines += 1;
      if (this.#lines < LINES_OF_ROW) continue;
      this.#lines = 0;
      this.#isInRow = false;
      return at + 1;
    }
    return bytes.byteLength;
  }
}
