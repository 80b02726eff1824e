import { type EngineError, ProblemError, type SqlLocation } from '@sluice/contract/problems';
import type { TrinoToken } from './sql-lexer.ts';

interface RejectionOptions {
  readonly location?: SqlLocation;
  readonly engineError?: EngineError;
}

/** Returns the problem for a statement that must not run. */
export const readOnlyProblem = (what: string, options: RejectionOptions = {}): ProblemError =>
  new ProblemError('read_only', `Only a single read-only statement can be run: ${what}.`, options);

const SYNTAX_ERROR: EngineError = { name: 'SYNTAX_ERROR', code: 1, type: 'USER_ERROR' };

/** Returns the problem of several statements, which Trino reports as a syntax error at the semicolon after the first. */
export const severalStatements = (sql: string, semicolon: TrinoToken): ProblemError =>
  readOnlyProblem('several statements in one request are not allowed', {
    location: locate(sql, semicolon.start),
    engineError: SYNTAX_ERROR,
  });

/** A syntax error at a token of the caller's SQL. */
export const syntaxProblem = (message: string, sql: string, token: TrinoToken): ProblemError =>
  new ProblemError('syntax_error', message, { location: locate(sql, token.start) });

/** Returns the location of an offset in characters, as Trino counts. */
function locate(sql: string, offset: number): SqlLocation {
  const lines = sql.slice(0, offset).split('\n');
  return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 };
}
