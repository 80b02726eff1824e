import { ProblemError } from '@sluice/contract/problems';
import { ANALYZE_NOT_DESCRIBED } from '../../analyze-not-described.ts';
import { readOnlyProblem } from './guard-problems.ts';
import { isWord } from './qualified-name.ts';
import { lexTrinoSql } from './sql-lexer.ts';

/** A statement with the columns of the caller's statement, and the mapping of its positions to those of the caller's SQL. */
interface DescribableStatement {
  readonly sql: string;
  withCallerLocation(thrown: unknown): unknown;
}

const OPENING = 'SELECT * FROM (';
const QUERY_WORDS: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'VALUES', 'TABLE']);

/**
 * Wraps a checked query so that it returns no rows: Trino plans it to nothing. Statements that cannot be in parentheses (SHOW,
 * DESCRIBE, EXPLAIN) are not changed, nor are those with unbalanced parentheses, which Trino should report itself.
 */
export function describableStatement(sql: string): DescribableStatement {
  const [first, second] = lexTrinoSql(sql);
  if (isWord(first, 'EXPLAIN') && isWord(second, 'ANALYZE')) throw readOnlyProblem(ANALYZE_NOT_DESCRIBED);
  const wrapped = withoutRows(sql);
  if (wrapped === undefined) return { sql, withCallerLocation: (thrown) => thrown };
  return { sql: wrapped, withCallerLocation: atPreviousLine };
}

/** Returns a checked query so that it returns no rows; undefined for a statement that cannot be in parentheses. */
export const withoutRows = (sql: string): string | undefined =>
  canBeWrapped(sql) ? `${OPENING}\n${sql}\n) LIMIT 0` : undefined;

/**
 * Returns the statement for the tables that a checked query reads, or undefined for other statements. Trino plans the query for it, and
 * runs nothing.
 */
export const tablesStatement = (sql: string): string | undefined =>
  canBeWrapped(sql) ? `EXPLAIN (TYPE IO, FORMAT JSON)\n${sql}` : undefined;

function canBeWrapped(sql: string): boolean {
  let depth = 0;
  let first: string | undefined;
  for (const token of lexTrinoSql(sql)) {
    if (token.kind === 'mark' && token.text === '(') depth += 1;
    else if (token.kind === 'mark' && token.text === ')') depth -= 1;
    else first ??= token.kind === 'word' ? token.text : '';
    if (depth < 0) return false;
  }
  return depth === 0 && first !== undefined && QUERY_WORDS.has(first);
}

/** The caller's SQL begins on the second line. */
function atPreviousLine(thrown: unknown): unknown {
  if (!(thrown instanceof ProblemError) || thrown.location === undefined || thrown.location.line < 2) return thrown;
  const { line, column } = thrown.location;
  return new ProblemError(thrown.code, thrown.message, { cause: thrown.cause, location: { line: line - 1, column } });
}
