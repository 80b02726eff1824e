import type { ProblemDetail } from '../../problems/problem-error.ts';
import { FILE_OBJECT_BYTES_MAX } from './file-format.ts';

/** Violation in a file that makes the rest of it unreadable. `path` names the line. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
  readonly detail: ProblemDetail;

  constructor(path: string, message: string) {
    super(`${path}: ${message}`);
    this.detail = { path, message };
  }
}

/** One row of a CSV file. */
export interface CsvRow {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Text of one row, without its line end. */
export interface CsvRecord {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly text: string;
}

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;

/** A line that tells Excel the separator. It is not part of the data. */
const EXCEL_LINE = /^sep=([^\r\n])(?=[\r\n]|$)/i;
/** The beginning of a file up to the end of its header, the first line that is not blank. */
const WITH_HEADER = /^(?:sep=[^\r\n](?:\r\n|\r|\n))?\s*[^\s][^\r\n]*[\r\n]/i;
/** The header of a metadata file is shorter. */
const HEADER_CHARACTERS_MAX = 4096;
/** Spreadsheets write these where the comma is the decimal mark. */
const OTHER_SEPARATORS = [';', '\t'];

/** Returns what separates the cells of a file that begins like this. */
function findSeparator(start: string): string {
  const given = EXCEL_LINE.exec(start)?.[1];
  if (given !== undefined) return given;
  const [header = ''] = start.trimStart().split(/[\r\n]/, 1);
  return header.includes(',') ? ',' : (OTHER_SEPARATORS.find((each) => header.includes(each)) ?? ',');
}

const tooLong = (line: number): FileFault =>
  new FileFault(
    `line ${line}`,
    `starts a row of more than ${FILE_OBJECT_BYTES_MAX} characters; is a quote not closed?`,
  );

/**
 * Finds the end of each record: a line break outside quotes (RFC 4180, also with LF or CR alone). The parser neither counts lines nor
 * limits a record whose quote is never closed, so it receives whole records. A semicolon or tab separates the cells if the header has no
 * comma, and any character if the line for Excel says so.
 */
export class CsvRecordSplitter {
  /** Text before the separator is known. Undefined: it is known. */
  #start: string | undefined = '';
  #separator = ',';
  #separatorCode = 0x2c;
  #excelLine = '';
  #held = '';
  #line = 1;
  #startLine = 1;
  #state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  #isAfterCr = false;

  /** Character between the cells of the records that were yielded. */
  get separator(): string {
    return this.#separator;
  }

  /** Line for Excel, without its line end. Empty: the file has none. */
  get excelLine(): string {
    return this.#excelLine;
  }

  /** Yields the records that end in this part of the text. */
  *push(chunk: string): Generator<CsvRecord> {
    if (this.#start === undefined) {
      yield* this.#split(chunk);
      return;
    }
    this.#start += chunk;
    if (this.#start.length > HEADER_CHARACTERS_MAX || WITH_HEADER.test(this.#start)) yield* this.#begin(this.#start);
  }

  *#begin(start: string): Generator<CsvRecord> {
    this.#start = undefined;
    this.#separator = findSeparator(start);
    this.#separatorCode = this.#separator.charCodeAt(0);
    this.#excelLine = EXCEL_LINE.exec(start)?.[0] ?? '';
    // The line for Excel stays, empty, so that the lines of violations are those of the file.
    yield* this.#split(start.slice(this.#excelLine.length));
  }

  *#split(chunk: string): Generator<CsvRecord> {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const code = chunk.charCodeAt(at);
      const isLineEnd = code === LF || code === CR;
      if (code === LF && this.#isAfterCr) {
        // The second half of a line break that has ended its line already.
        this.#isAfterCr = false;
        if (this.#state === 'start' && this.#held === '' && start === at) start = at + 1;
        continue;
      }
      this.#isAfterCr = code === CR;
      if (isLineEnd) this.#line += 1;
      if (isLineEnd && this.#state !== 'quoted') {
        yield* this.#end(chunk.slice(start, at));
        start = at + 1;
      } else this.#advance(code);
    }
    this.#held += chunk.slice(start);
    if (this.#held.length > FILE_OBJECT_BYTES_MAX) throw tooLong(this.#startLine);
  }

  /** Yields the last record. Throws a FileFault if it has a quote that is not closed. */
  *finish(): Generator<CsvRecord> {
    if (this.#start !== undefined) yield* this.#begin(this.#start);
    if (this.#state === 'quoted')
      throw new FileFault(`line ${this.#startLine}`, 'starts a quoted cell that never ends');
    yield* this.#end('');
  }

  #advance(code: number): void {
    if (this.#state === 'quoted') {
      if (code === QUOTE) this.#state = 'closed';
    } else if (code === this.#separatorCode) this.#state = 'start';
    else if (code === QUOTE && this.#state !== 'plain') this.#state = 'quoted';
    else this.#state = 'plain';
  }

  /** Blank lines are skipped, as by the parser. */
  *#end(rest: string): Generator<CsvRecord> {
    const record = { line: this.#startLine, text: this.#held + rest };
    if (record.text.length > FILE_OBJECT_BYTES_MAX) throw tooLong(record.line);
    this.#held = '';
    this.#state = 'start';
    this.#startLine = this.#line;
    if (record.text.trim() !== '') yield record;
  }
}

const QUOTED = /^"((?:[^"]|"")*)"$/s;

/**
 * Returns the cells of one record (RFC 4180), or undefined if it is broken: a quote within a plain cell, or text after a quoted one.
 * @param separator - one character between the cells
 */
export function splitCells(record: string, separator = ','): string[] | undefined {
  const cells: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at <= record.length; at += 1) {
    const character = record.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    if (at < record.length && (isQuoted || character !== separator)) continue;
    const cell = unquoteCell(record.slice(start, at));
    if (cell === undefined) return undefined;
    cells.push(cell);
    start = at + 1;
  }
  return isQuoted ? undefined : cells;
}

function unquoteCell(text: string): string | undefined {
  if (!text.includes('"')) return text;
  return QUOTED.exec(text)?.[1]?.replaceAll('""', '"');
}
