import { readError, readStats, type TrinoError, type TrinoStats } from './error-fields.ts';
import { BYTE, skipSpace, skipString, skipValue, unreadable } from './json-scan.ts';

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * One response of the statement protocol (`QueryResults`). Its small members are parsed; `data` remains bytes. If the required
 * members precede the data, as in Trino's own order, the data are read only once: `finish` then reads what follows them.
 */
export class ResultPage {
  readonly bytes: Buffer;
  readonly #members = new Map<string, Span>();
  #position: number;
  #isFinished = false;
  /** Index of the value of `data`; undefined for a page without data. */
  readonly dataAt: number | undefined;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.#position = skipSpace(bytes, 0);
    if (bytes[this.#position] !== BYTE.openObject) throw unreadable('it is not a JSON object');
    this.#position = skipSpace(bytes, this.#position + 1);
    if (bytes[this.#position] === BYTE.closeObject) this.#end();
    else this.#readMembers('data');
    this.dataAt = this.#isFinished ? undefined : this.#position;
    const isInOrder = this.#members.has('nextUri') && this.#members.has('columns') && this.dataAt !== undefined;
    if (!isInOrder && this.dataAt !== undefined) this.finish(skipValue(bytes, this.dataAt));
  }

  /** Trino's id of the statement. */
  get queryId(): string | undefined {
    const id = this.#parse('id');
    return typeof id === 'string' ? id : undefined;
  }

  get nextUri(): string | undefined {
    const uri = this.#parse('nextUri');
    if (uri !== undefined && typeof uri !== 'string') throw unreadable('its nextUri is not a string');
    return uri;
  }

  /** Columns in the form of Trino; undefined while Trino does not know them. */
  get columns(): unknown {
    return this.#parse('columns');
  }

  /** Known only after the page is finished. */
  get error(): TrinoError | undefined {
    const json = this.#parse('error');
    return json === undefined ? undefined : readError(json);
  }

  /** Known only after the page is finished. */
  get stats(): TrinoStats {
    return readStats(this.#parse('stats'));
  }

  /** Reads what follows the data, whose end the reader of the data knows. */
  finish(dataEnd: number): void {
    if (this.#isFinished) return;
    this.#position = dataEnd;
    if (this.#hasMore()) this.#readMembers(undefined);
    else this.#end();
  }

  /** Returns the bytes of `data` if they are few; the page is then finished. */
  takeData(): Buffer {
    const start = this.dataAt ?? this.bytes.length;
    const end = skipValue(this.bytes, start);
    this.finish(end);
    return this.bytes.subarray(start, end);
  }

  #parse(name: string): unknown {
    const span = this.#members.get(name);
    if (span === undefined) return undefined;
    const value: unknown = parseJson(this.bytes.toString('utf8', span.start, span.end));
    return value ?? undefined;
  }

  /** Stores the positions of members, up to the one with this name (unless it is null), or to the end of the object. */
  #readMembers(last: string | undefined): void {
    do {
      const name = this.#readName();
      // A parser would keep one of them, and RFC 8259, section 4, does not say which: one of two lists of rows would be lost.
      if (this.#members.has(name)) throw unreadable('a member occurs twice');
      const start = skipSpace(this.bytes, this.#position);
      this.#members.set(name, { start, end: start });
      this.#position = start;
      if (name === last && this.bytes[start] !== BYTE.lowerN) return;
      this.#position = skipValue(this.bytes, start);
      this.#members.set(name, { start, end: this.#position });
    } while (this.#hasMore());
    this.#end();
  }

  #end(): void {
    this.#isFinished = true;
    if (skipSpace(this.bytes, this.#position + 1) !== this.bytes.length) throw unreadable('data follow its end');
  }

  #readName(): string {
    this.#position = skipSpace(this.bytes, this.#position);
    if (this.bytes[this.#position] !== BYTE.quote) throw unreadable('a name has no quotes');
    const end = skipString(this.bytes, this.#position);
    const name = parseJson(this.bytes.toString('utf8', this.#position, end));
    this.#position = skipSpace(this.bytes, end);
    if (this.bytes[this.#position] !== BYTE.colon) throw unreadable('a name has no value');
    this.#position += 1;
    return String(name);
  }

  /** Call after a value: skips the comma before another member, and returns false at the end of the object. */
  #hasMore(): boolean {
    this.#position = skipSpace(this.bytes, this.#position);
    const byte = this.bytes[this.#position];
    if (byte !== BYTE.comma && byte !== BYTE.closeObject) throw unreadable('a comma is missing');
    if (byte === BYTE.comma) this.#position += 1;
    return byte === BYTE.comma;
  }
}

/** Parses the small parts of a response, never data. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable('a part is not JSON');
  }
}
