import { isMark, isWord, lexSql, lexTrinoSql } from '@sluice/engine';
import { TrinoError } from '../trino-error.ts';
import { errorLocation } from './statement-reader.ts';

const MAY_DIFFER = /x'|time/i;
const EXPLAIN = /explain/i;
/** A timestamp or time without a zone, at the start of a literal. */
const WITHOUT_ZONE: Readonly<Record<string, RegExp>> = {
  TIMESTAMP: /^\s*[+-]?\d{1,6}-\d{1,2}-\d{1,2}(?:[T ] *\d{1,2}(?::\d{1,2}){0,2}(?:\.\d*)?)?\s*/,
  TIME: /^\s*\d{1,2}(?::\d{1,2}){1,2}(?:\.\d*)?\s*/,
};
const SHOWN_CHARACTERS_MAX = 60;

/**
 * Refuses the forms of Trino that DuckDB reads as another value without an error, where a lexer can see them: a binary literal, and a time zone in a
 * literal of a type without one. Also the options of Trino's EXPLAIN. Throws NOT_SUPPORTED with DuckDB's form.
 */
export function checkDuckDbDialect(sql: string): void {
  if (EXPLAIN.test(sql)) checkExplain(sql);
  if (!MAY_DIFFER.test(sql)) return;
  let before = { text: '', end: -1 };
  for (const { kind, text, start, end } of lexSql(sql)) {
    const isString = text.startsWith("'");
    if (isString && before.text === 'X' && before.end === start) throw binaryProblem(sql, text, start - 1);
    if (isString) checkZone(sql, before.text, { text, start });
    before = { text: kind === 'word' ? text : '', end };
  }
}

function checkZone(
  sql: string,
  type: string,
  { text, start }: { readonly text: string; readonly start: number },
): void {
  const plain = WITHOUT_ZONE[type]?.exec(text.slice(1, -1));
  if (plain === undefined || plain === null || plain[0].length === text.length - 2) return;
  const withZone = type === 'TIMESTAMP' ? 'TIMESTAMPTZ' : 'TIMETZ';
  throw new TrinoError(
    'NOT_SUPPORTED',
    `This engine is DuckDB, whose ${type} literal drops the time zone. Write ${withZone} ${shown(text)} instead.`,
    errorLocation(sql, start),
  );
}

const binaryProblem = (sql: string, text: string, position: number): TrinoError =>
  new TrinoError(
    'NOT_SUPPORTED',
    `This engine is DuckDB, for which X${shown(text)} is a text. Write unhex(${shown(text)}) instead.`,
    errorLocation(sql, position),
  );

const shown = (text: string): string => (text.length <= SHOWN_CHARACTERS_MAX ? text : "'...'");

/** EXPLAIN (TYPE IO, FORMAT JSON): tools estimate costs by it. */
function checkExplain(sql: string): void {
  const [first, second, ...options] = lexTrinoSql(sql);
  if (!isWord(first, 'EXPLAIN') || !isMark(second, '(')) return;
  for (const token of options) {
    if (isMark(token, ')')) return;
    if (isWord(token, 'TYPE'))
      throw new TrinoError(
        'NOT_SUPPORTED',
        'This engine is DuckDB, whose EXPLAIN has no TYPE. Write EXPLAIN without options.',
        errorLocation(sql, token.start),
      );
  }
}
