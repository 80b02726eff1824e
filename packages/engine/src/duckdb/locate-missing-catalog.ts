import type { SqlLocation } from '@sluice/contract/problems';
import { locationAt } from '../parameter-mark.ts';
import { lexSql } from '../statement-lexer.ts';

const NO_SUCH_CATALOG = /^Catalog "([^"]*)" does not exist/;

/**
 * Returns the place at which a statement names the catalog of this error of DuckDB, which does not report it. Undefined: the error is another one, or the
 * catalog is that of the session.
 */
export function locateMissingCatalog(message: string, sql: string): SqlLocation | undefined {
  const name = NO_SUCH_CATALOG.exec(message)?.[1]?.toUpperCase();
  if (name === undefined) return undefined;
  for (const { text, start, end } of lexSql(sql)) {
    const isName = text === name || text.toUpperCase() === `"${name}"`;
    if (isName && sql[end] === '.') return locationAt(sql, start);
  }
  return undefined;
}
