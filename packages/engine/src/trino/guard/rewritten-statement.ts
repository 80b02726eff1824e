import type { TableName } from '../../table-name.ts';
import type { TrinoProfile } from '../protocol/profile.ts';
import { isMark, isWord, readName } from './qualified-name.ts';
import { explainedStatement } from './read-only-guard.ts';
import { lexTrinoSql, type TrinoToken } from './sql-lexer.ts';

/** Parts of a statement that name tables which Trino's account of it leaves out: Trino rewrites the statement before it analyses it. */
interface RewrittenParts {
  /** Table or view that DESCRIBE or SHOW names. */
  readonly table?: TableName | undefined;
  /** Range of the query that EXPLAIN or SHOW STATS plans, in the SQL. */
  readonly query?: { readonly start: number; readonly end: number };
}

/** Returns the parts of a checked statement that Trino rewrites. EXPLAIN ANALYZE runs its query, and the account has its tables. */
export function rewrittenParts(
  sql: string,
  defaults: Pick<TrinoProfile, 'defaultCatalog' | 'defaultSchema'>,
): RewrittenParts {
  const tokens = [...lexTrinoSql(sql)];
  const statement = explainedStatement(tokens, sql);
  const [verb, what, kind] = statement;
  const queryAt = (token: TrinoToken | undefined): RewrittenParts =>
    token === undefined ? {} : { query: { start: token.start, end: sql.length } };
  const tableAt = (index: number): RewrittenParts => ({ table: tableOf(readName(statement, index)?.parts, defaults) });
  if (isWord(verb, 'DESCRIBE', 'DESC')) return tableAt(1);
  if (!isWord(verb, 'SHOW')) return isPlanned(tokens) ? queryAt(verb) : {};
  if (isWord(what, 'COLUMNS')) return tableAt(3);
  if (isWord(what, 'STATS')) return isMark(statement[3], '(') ? queryAt(statement[3]) : tableAt(3);
  if (!isWord(what, 'CREATE')) return {};
  const named = isWord(kind, 'MATERIALIZED') ? 3 : 2;
  return isWord(statement[named], 'TABLE', 'VIEW') ? tableAt(named + 1) : {};
}

const isPlanned = ([first, second]: readonly TrinoToken[]): boolean =>
  isWord(first, 'EXPLAIN') && !isWord(second, 'ANALYZE');

function tableOf(
  parts: readonly string[] | undefined,
  { defaultCatalog, defaultSchema }: Pick<TrinoProfile, 'defaultCatalog' | 'defaultSchema'>,
): TableName | undefined {
  if (parts === undefined) return undefined;
  const [name, schema = defaultSchema, catalog = defaultCatalog] = parts.toReversed();
  return name === undefined || schema === undefined ? undefined : { catalog, schema, name };
}
