import { Utf8Check } from './read-text.ts';

const [QUOTE, LINE_FEED, CARRIAGE_RETURN] = Buffer.from('"\n\r');

type Position = 'start of value' | 'value' | 'quoted value' | 'after quote';

/**
 * Finds the first line of a CSV file that does not have the form of RFC 4180 with this separator, so that its author can correct it.
 * DuckDB, which has rejected the file, mostly says only that it found no form.
 */
export class CsvExplanation {
  readonly #separator: number;
  readonly #utf8 = new Utf8Check();
  #position: Position = 'start of value';
  #line = 1;
  /** Line on which the current row, or the current quoted value, began. */
  #rowLine = 1;
  #quoteLine = 1;
  #values = 1;
  #isRowEmpty = true;
  #expected: number | undefined;

  constructor(separator: string) {
    this.#separator = separator.charCodeAt(0);
  }

  /** Returns the problem that the next bytes have. */
  problemAfter(chunk: Buffer): string | undefined {
    const encoding = this.#utf8.problemAfter(chunk);
    if (encoding !== undefined) return encoding;
    for (const byte of chunk) {
      const problem = this.#after(byte);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** Returns the problem that the end of the file has. */
  problemAtEnd(): string | undefined {
    if (this.#position === 'quoted value') return `line ${this.#quoteLine} has a quote that is not closed.`;
    return this.#utf8.problemAtEnd() ?? this.#endRow();
  }

  #after(byte: number): string | undefined {
    if (this.#position === 'quoted value') {
      if (byte === QUOTE) this.#position = 'after quote';
      else if (byte === LINE_FEED) this.#line += 1;
      return undefined;
    }
    if (byte === LINE_FEED) {
      const problem = this.#endRow();
      this.#line += 1;
      this.#rowLine = this.#line;
      return problem;
    }
    if (byte === CARRIAGE_RETURN) return undefined;
    this.#isRowEmpty = false;
    if (byte === this.#separator) {
      this.#values += 1;
      this.#position = 'start of value';
      return undefined;
    }
    if (byte === QUOTE && this.#position !== 'value') {
      if (this.#position === 'start of value') this.#quoteLine = this.#line;
      this.#position = 'quoted value'; // a doubled quote continues it
      return undefined;
    }
    if (this.#position === 'after quote')
      return `line ${this.#line} has text after a closing quote: double the quotes inside a quoted value.`;
    this.#position = 'value';
    return undefined;
  }

  #endRow(): string | undefined {
    const [values, isEmpty, endsEmpty] = [this.#values, this.#isRowEmpty, this.#position === 'start of value'];
    this.#values = 1;
    this.#isRowEmpty = true;
    this.#position = 'start of value';
    if (isEmpty) return undefined;
    this.#expected ??= values;
    // As DuckDB does: a separator at the end of a line adds no value.
    if (values === this.#expected || (values === this.#expected + 1 && endsEmpty)) return undefined;
    return `line ${this.#rowLine} has ${values} value${values === 1 ? '' : 's'}, the header has ${this.#expected}.`;
  }
}
