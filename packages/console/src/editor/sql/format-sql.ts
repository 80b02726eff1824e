import type { SqlDialect } from '@sluice/contract/sql';
import { haveSameTokens } from './token-sequence.ts';

/** Formatted SQL, or why the SQL stays as it is. */
export type Formatted =
  | { readonly sql: string }
  | { readonly problem: 'too-long' | 'not-understood' | 'would-change-meaning' };

/** Formatting takes about 1 ms per KB and blocks the page. */
const FORMAT_CHARACTERS_MAX = 65_536;

/**
 * Formats SQL. The formatter is loaded when it is first used. Its output is taken only if it has exactly the tokens of the input: a
 * formatter that reads a statement differently from the engine must not change what the statement does.
 */
export async function formatSql(sql: string, dialect: SqlDialect): Promise<Formatted> {
  if (sql.length > FORMAT_CHARACTERS_MAX) return { problem: 'too-long' };
  const { formatDialect, duckdb, trino } = await import('sql-formatter');
  let formatted: string;
  try {
    formatted = formatDialect(sql, {
      dialect: dialect === 'duckdb' ? duckdb : trino,
      keywordCase: 'preserve',
      paramTypes: { named: ['$'] },
      tabWidth: 2,
      expressionWidth: 80,
      linesBetweenQueries: 1,
    });
  } catch {
    // The formatter throws a parse error for what its grammar lacks.
    return { problem: 'not-understood' };
  }
  return haveSameTokens(sql, formatted, dialect) ? { sql: formatted } : { problem: 'would-change-meaning' };
}
