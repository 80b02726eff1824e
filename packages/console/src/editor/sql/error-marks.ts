import { type SqlDialect, SqlScanner, type TextRange } from '@sluice/contract/sql';

/** Position in a statement as hosts send it: both count from 1, and a column is a character of Unicode. */
export interface SqlLocation {
  readonly line: number;
  readonly column: number;
}

const LINE_END = /\r\n|\r|\n/g;

/**
 * Returns the token that an error of a statement is about.
 * @param statement - part of `text` that ran
 * @param location - location of the error within the statement. One that is beyond it marks the end of its line.
 * @returns a range of `text`, never empty unless the statement is
 */
export function errorRange(text: string, statement: TextRange, location: SqlLocation, dialect: SqlDialect): TextRange {
  const lineStart = startOfLine(text, statement, location.line);
  const lineEnd = Math.min(endOfLine(text, lineStart), statement.to);
  const from = lineStart + countUnits(text.slice(lineStart, lineEnd), location.column - 1);
  if (from >= lineEnd) return { from: Math.max(lastCharacter(text, lineStart, lineEnd), statement.from), to: lineEnd };
  const scanner = new SqlScanner(text.slice(from, lineEnd), dialect);
  return scanner.next() ? { from: from + scanner.start, to: from + scanner.end } : { from, to: lineEnd };
}

function startOfLine(text: string, { from, to }: TextRange, line: number): number {
  const ends = new RegExp(LINE_END);
  ends.lastIndex = from;
  let start = from;
  for (let current = 1; current < line; current += 1) {
    if (ends.exec(text) === null || ends.lastIndex > to) break;
    start = ends.lastIndex;
  }
  return start;
}

function endOfLine(text: string, start: number): number {
  const ends = new RegExp(LINE_END);
  ends.lastIndex = start;
  return ends.exec(text)?.index ?? text.length;
}

/** UTF-16 units of the first characters of a line. */
function countUnits(line: string, characters: number): number {
  let units = 0;
  for (let count = 0; count < characters && units < line.length; count += 1)
    units += (line.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  return units;
}

const lastCharacter = (text: string, from: number, to: number): number =>
  from + text.slice(from, to).trimEnd().length - (text.slice(from, to).trimEnd() === '' ? 0 : 1);
