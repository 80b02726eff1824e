import { BYTE, skipSpace, skipString, skipValue, unreadable } from './json-scan.ts';

/** What Trino says of an error (`QueryError` of the client protocol); a field may be absent, whatever a version leaves out. */
export interface TrinoError {
  readonly message?: string;
  readonly errorName?: string;
  readonly errorType?: string;
  readonly errorLocation?: { readonly lineNumber: number; readonly columnNumber: number };
}

export interface TrinoStats {
  readonly state?: string;
  readonly completedSplits?: number;
  readonly totalSplits?: number;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * One answer of the statement protocol (`QueryResults`). Its small members are parsed; `data` is left as bytes. When Trino's own
 * order puts what is needed before the data, the data are not looked at twice: `finish` then reads what stands behind them.
 */
export class ResultPage {
  readonly bytes: Buffer;
  readonly #members = new Map<string, Span>();
  #position: number;
  #isFinished = false;
  /** Where the value of `data` begins; undefined for a page without. */
  readonly dataAt: number | undefined;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.#position = skipSpace(bytes, 0);
    if (bytes[this.#position] !== BYTE.openObject) throw unreadable('it is no JSON object');
    this.#position += 1;
    this.#readMembers('data');
    this.dataAt = this.#isFinished ? undefined : this.#position;
    const isInOrder = this.#members.has('nextUri') && this.#members.has('columns') && this.dataAt !== undefined;
    if (!isInOrder && this.dataAt !== undefined) this.finish(skipValue(bytes, this.dataAt));
  }

  get nextUri(): string | undefined {
    const uri = this.#parse('nextUri');
    if (uri !== undefined && typeof uri !== 'string') throw unreadable('its nextUri is no text');
    return uri;
  }

  /** As Trino tells of them; undefined while it does not know them. */
  get columns(): unknown {
    return this.#parse('columns');
  }

  /** Known only once the page is finished. */
  get error(): TrinoError | undefined {
    return this.#parse('error') as TrinoError | undefined;
  }

  /** Known only once the page is finished. */
  get stats(): TrinoStats {
    return (this.#parse('stats') ?? {}) as TrinoStats;
  }

  /** Reads what stands behind the data, whose end the reader of the data knows. */
  finish(dataEnd: number): void {
    if (this.#isFinished) return;
    this.#position = dataEnd;
    this.#afterValue();
    this.#readMembers(undefined);
  }

  /** The bytes of `data`, when it is something small; the page is finished then. */
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

  /** Notes where members stand, up to the one named so (a null one is passed by), or to the end of the object. */
  #readMembers(last: string | undefined): void {
    for (;;) {
      this.#position = skipSpace(this.bytes, this.#position);
      if (this.bytes[this.#position] === BYTE.closeObject) break;
      const name = this.#readName();
      const start = skipSpace(this.bytes, this.#position);
      this.#position = start;
      if (name === last && this.bytes[start] !== BYTE.lowerN) return;
      this.#position = skipValue(this.bytes, start);
      this.#members.set(name, { start, end: this.#position });
      this.#afterValue();
    }
    this.#isFinished = true;
    if (skipSpace(this.bytes, this.#position + 1) !== this.bytes.length) throw unreadable('something follows its end');
  }

  #readName(): string {
    if (this.bytes[this.#position] !== BYTE.quote) throw unreadable('a name of it has no quotes');
    const end = skipString(this.bytes, this.#position);
    const name = parseJson(this.bytes.toString('utf8', this.#position, end));
    this.#position = skipSpace(this.bytes, end);
    if (this.bytes[this.#position] !== BYTE.colon) throw unreadable('a name of it has no value');
    this.#position += 1;
    return String(name);
  }

  #afterValue(): void {
    this.#position = skipSpace(this.bytes, this.#position);
    if (this.bytes[this.#position] === BYTE.comma) this.#position += 1;
    else if (this.bytes[this.#position] !== BYTE.closeObject) throw unreadable('a comma of it is missing');
  }
}

/** JSON of the small parts of an answer, never of data. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable('a part of it is no JSON');
  }
}
