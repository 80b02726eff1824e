import type { QueryParameter } from '@sluice/contract';
import { ProblemError } from '@sluice/contract/problems';
import { explainedStatement } from '../guard/read-only-guard.ts';
import { lexTrinoSql } from '../guard/sql-lexer.ts';
import { trinoParameterMarks } from './parameter-marks.ts';
import { trinoLiteral } from './value-literal.ts';

interface BoundStatement {
  /** The caller's SQL with `?` instead of each `$name`, padded to the same length: this is what the guard checks. */
  readonly text: string;
  /** Returns the statement to send for the checked text, which begins as `text` does. */
  executable(checked: string): string;
  withCallerLocation(thrown: unknown): unknown;
}

/**
 * Binds the values of a statement's parameters. Trino's protocol has no channel for values, so the statement is run by EXECUTE
 * IMMEDIATE with one literal per mark. Without parameters the SQL is sent as it is.
 */
export function bindStatement(sql: string, parameters: readonly QueryParameter[] = []): BoundStatement {
  const marks = trinoParameterMarks(sql);
  if (parameters.length === 0 && marks.length === 0)
    return { text: sql, executable: (checked) => checked, withCallerLocation: (thrown) => thrown };
  const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const bound = marks.map(({ name, start, end }) => {
    const parameter = name === undefined ? undefined : byName.get(name);
    if (parameter === undefined) throw withoutValue(sql.slice(start, end));
    return { start, end, literal: trinoLiteral(parameter) };
  });
  const values = bound.map(({ literal }) => literal).join(', ');
  return {
    text: withMarks(sql, bound),
    executable: (checked) => immediateStatement(checked, values),
    withCallerLocation: inCallerText,
  };
}

/**
 * Lines of our own before the caller's SQL, which begins after a line feed, so that its columns stay the same. The string begins in the
 * first column: Trino (476) adds its column to that of a syntax error in any line.
 */
const LINES_BEFORE = 2;

/**
 * Returns EXECUTE IMMEDIATE with the SQL as a string. Trino binds no values within EXPLAIN, so EXPLAIN is put around it, and blanks take
 * its place.
 */
function immediateStatement(checked: string, values: string): string {
  const tokens = [...lexTrinoSql(checked)];
  const explained = explainedStatement(tokens, checked);
  const prefix = tokens.slice(0, tokens.length - explained.length);
  const start = prefix.length === 0 ? 0 : (explained[0]?.start ?? checked.length);
  const text = `${checked.slice(0, start).replaceAll(/[^\n]/g, ' ')}${checked.slice(start)}`;
  const before = [...prefix.map((token) => token.text), 'EXECUTE IMMEDIATE'].join(' ');
  return `${before}\n'\n${text.replaceAll("'", "''")}' USING ${values}`;
}

/** Returns the error with its location in the caller's SQL. */
function inCallerText(thrown: unknown): unknown {
  if (!(thrown instanceof ProblemError) || thrown.location === undefined) return thrown;
  const { code, message, cause } = thrown;
  const { column } = thrown.location;
  const line = thrown.location.line - LINES_BEFORE;
  if (line < 1) return new ProblemError(code, message, { cause });
  return new ProblemError(code, message, { cause, location: { line, column } });
}

const withoutValue = (mark: string): ProblemError =>
  new ProblemError(
    'not_supported',
    `The parameter ${mark} has no value. Write each parameter as $name and send its value.`,
  );

function withMarks(sql: string, marks: readonly { readonly start: number; readonly end: number }[]): string {
  const pieces: string[] = [];
  let position = 0;
  for (const { start, end } of marks) {
    pieces.push(sql.slice(position, start), '?'.padEnd(end - start));
    position = end;
  }
  return `${pieces.join('')}${sql.slice(position)}`;
}
