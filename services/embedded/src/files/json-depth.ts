/** Levels of lists and objects in a JSON file that is served. DuckDB detects types by recursion: 100,000 levels end its process. */
export const JSON_DEPTH_MAX = 1_000;

const [QUOTE, BACKSLASH] = Buffer.from('"\\');
const OPENING: ReadonlySet<number | undefined> = new Set(Buffer.from('[{'));
const CLOSING: ReadonlySet<number | undefined> = new Set(Buffer.from(']}'));

/** Counts the open lists and objects of a JSON text. */
export class JsonDepth {
  #depth = 0;
  #isText = false;
  #isEscaped = false;

  /** Returns the number of open lists and objects after the next byte. */
  after(byte: number): number {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isText) {
      this.#isEscaped = byte === BACKSLASH;
      this.#isText = byte !== QUOTE;
    } else if (byte === QUOTE) this.#isText = true;
    else if (OPENING.has(byte)) this.#depth += 1;
    else if (CLOSING.has(byte)) this.#depth -= 1;
    return this.#depth;
  }
}
