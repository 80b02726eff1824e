import { lexSql, type SqlToken } from '../../statement-lexer.ts';
import { readOnlyProblem } from './read-only-guard.ts';

/** A caller's SQL, split into EXPLAIN and the statement that it explains. */
export interface SplitStatement {
  /** Our own text before the statement, rebuilt from the caller's options; empty without EXPLAIN. */
  readonly prefix: string;
  readonly text: string;
  /** The caller's SQL before `text`, for the positions of errors. */
  readonly before: string;
}

const FORMATS: ReadonlySet<string> = new Set(['TEXT', 'JSON', 'HTML', 'GRAPHVIZ', 'YAML', 'MERMAID']);

/**
 * Splits EXPLAIN from the statement that it explains. The rest is guarded as a separate statement and appended to our own prefix,
 * so that nothing else of the caller's SQL can run, wherever DuckDB would have ended its comments and strings.
 */
export function splitExplain(sql: string): SplitStatement {
  const tokens = [...firstTokens(sql)];
  if (tokens[0]?.text !== 'EXPLAIN') return { prefix: '', text: sql, before: '' };
  let next = 1;
  const options: string[] = [];
  if (tokens[next]?.text === 'ANALYZE') {
    options.push('ANALYZE');
    next += 1;
  } else if (tokens[next]?.text === '(' && ['FORMAT', 'ANALYZE'].includes(tokens[next + 1]?.text ?? '')) {
    next = readOptions(tokens, next + 1, options);
  }
  const offset = tokens[next]?.start ?? sql.length;
  const prefix = options.length === 0 ? 'EXPLAIN ' : `EXPLAIN (${options.join(', ')}) `;
  return { prefix, text: sql.slice(offset), before: sql.slice(0, offset) };
}

/** Maximum number of tokens of EXPLAIN and its options. */
const TOKENS_MAX = 16;

function* firstTokens(sql: string): Generator<SqlToken> {
  let count = 0;
  for (const token of lexSql(sql)) {
    yield token;
    count += 1;
    if (count === TOKENS_MAX) return;
  }
}

/** Values may be in quotes: `FORMAT 'json'`. */
const unquoted = (text: string): string => (/^(['"]).*\1$/s.test(text) ? text.slice(1, -1) : text).toUpperCase();

/** Reads `FORMAT json, ANALYZE)`: appends the options and returns the index after the parenthesis. */
function readOptions(tokens: readonly SqlToken[], start: number, options: string[]): number {
  let next = start;
  for (;;) {
    const option = tokens[next]?.text;
    const value = unquoted(tokens[next + 1]?.text ?? '');
    if (option === 'ANALYZE') {
      options.push('ANALYZE');
      next += value === 'TRUE' ? 2 : 1;
    } else if (option === 'FORMAT' && FORMATS.has(value)) {
      options.push(`FORMAT ${value}`);
      next += 2;
    } else
      throw readOnlyProblem(
        'EXPLAIN supports only the options ANALYZE and FORMAT (text, json, html, graphviz, yaml, mermaid)',
      );
    const end = tokens[next]?.text;
    if (end === ')') return next + 1;
    if (end !== ',')
      throw readOnlyProblem('the options of EXPLAIN must be separated by commas and enclosed in parentheses');
    next += 1;
  }
}
