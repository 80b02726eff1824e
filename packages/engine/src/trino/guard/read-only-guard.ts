import { ProblemError, type SqlLocation } from '@sluice/contract';
import type { TrinoProfile } from '../protocol/profile.ts';
import { readName } from './qualified-name.ts';
import { refused } from './refused.ts';
import { checkShow } from './show-guard.ts';
import { lexTrinoSql, type TrinoToken } from './sql-lexer.ts';
import { tableNames } from './table-names.ts';

/** Words that a statement which only reads begins with. Trino's grammar has no other statement behind them. */
const READS: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'VALUES', 'TABLE']);
const DESCRIPTIONS: ReadonlySet<string> = new Set(['SHOW', 'DESCRIBE', 'DESC']);
/** Every other statement of Trino's. A word that is none of them either cannot begin a statement. */
const OTHERS: ReadonlySet<string> = new Set([
  ...[
    'ALTER',
    'ANALYZE',
    'CALL',
    'COMMENT',
    'COMMIT',
    'CREATE',
    'DEALLOCATE',
    'DELETE',
    'DENY',
    'DROP',
    'EXECUTE',
    'GRANT',
  ],
  ...[
    'INSERT',
    'MERGE',
    'PREPARE',
    'REFRESH',
    'RESET',
    'REVOKE',
    'ROLLBACK',
    'SET',
    'START',
    'TRUNCATE',
    'UPDATE',
    'USE',
  ],
  ...[
    'BEGIN',
    'COPY',
    'VACUUM',
    'EXPORT',
    'IMPORT',
    'ATTACH',
    'DETACH',
    'INSTALL',
    'LOAD',
    'PRAGMA',
    'CHECKPOINT',
    'KILL',
  ],
]);
/** Table functions that make rows or rearrange those of a table. All others may send SQL of their own to a data source. */
const TABLE_FUNCTIONS: ReadonlySet<string> = new Set(['sequence', 'exclude_columns']);
const TABLE_FUNCTION_SCHEMA = 'system.builtin.';
/** Catalogs that speak of Trino itself, whatever a tenant was given. */
const ENGINE_SCHEMAS = /^system\.(?:runtime|metadata|jdbc)(?:\.|$)/;

/**
 * Lets one reading statement pass, and answers it without the semicolons behind it; throws `read_only` for what must not run,
 * `permission_denied` for a catalog that is not the tenant's, and `syntax_error` for what is no statement. It is sure of what it
 * refuses and of what begins a statement; who may read which table is decided by Trino's access control.
 */
export function checkStatement(sql: string, profile: Pick<TrinoProfile, 'catalogs'>): string {
  const tokens = [...lexTrinoSql(sql)];
  while (isMark(tokens.at(-1), ';')) tokens.pop();
  const last = tokens.at(-1);
  if (last === undefined) {
    throw new ProblemError('syntax_error', 'There is no statement: the SQL holds only comments or semicolons.');
  }
  if (tokens.some((token) => isMark(token, ';'))) throw refused('several statements in one request are not allowed');
  const read = behindExplain(tokens);
  checkFirstWord(read, sql);
  checkInlineSessions(read);
  checkTableFunctions(read);
  if (profile.catalogs.length === 0) throw withoutCatalog();
  const catalogs = new Set(profile.catalogs.map((catalog) => catalog.toLowerCase()));
  for (const name of tableNames(read)) {
    const isFunction = isMark(read[name.next], '(') && name.parts.join('.').startsWith(TABLE_FUNCTION_SCHEMA);
    if (!isFunction) checkTableName(name.parts, catalogs);
  }
  if (read[0]?.kind === 'word' && DESCRIPTIONS.has(read[0].text))
    checkShow(read, (parts) => checkTableName(parts, catalogs));
  return sql.slice(0, last.end);
}

const withoutCatalog = (): ProblemError =>
  new ProblemError('permission_denied', 'Your tenant has no catalog yet. Its operator can give it one.');

const isMark = (token: TrinoToken | undefined, text: string): boolean => token?.kind === 'mark' && token.text === text;
const isWord = (token: TrinoToken | undefined, text: string): boolean => token?.kind === 'word' && token.text === text;

/** The statement that EXPLAIN explains, or runs under ANALYZE: it must be one that could be run by itself. */
function behindExplain(tokens: readonly TrinoToken[]): readonly TrinoToken[] {
  if (!isWord(tokens[0], 'EXPLAIN')) return tokens;
  let next = 1;
  if (isWord(tokens[next], 'ANALYZE')) next += isWord(tokens[next + 1], 'VERBOSE') ? 2 : 1;
  else if (isMark(tokens[next], '(') && ['TYPE', 'FORMAT'].includes(tokens[next + 1]?.text ?? '')) {
    const close = tokens.findIndex((token, index) => index > next && isMark(token, ')'));
    next = close === -1 ? tokens.length : close + 1;
  }
  return tokens.slice(next);
}

function checkFirstWord(tokens: readonly TrinoToken[], sql: string): void {
  const first = tokens.find((token) => !isMark(token, '('));
  if (first?.kind === 'word') {
    if (READS.has(first.text) || (first === tokens[0] && DESCRIPTIONS.has(first.text))) return;
    if (OTHERS.has(first.text) || first.text === 'EXPLAIN') throw refused(`${first.text} is not allowed`);
  }
  const place = first ?? tokens.at(-1);
  const location = place === undefined ? {} : { location: locate(sql, place.start) };
  const what =
    first === undefined
      ? 'The statement ends before it begins'
      : `A statement cannot begin with ${sql.slice(first.start, first.end)}`;
  throw new ProblemError(
    'syntax_error',
    `${what}. Begin with SELECT, WITH, VALUES, TABLE, SHOW, DESCRIBE or EXPLAIN.`,
    location,
  );
}

/** `WITH SESSION a = b SELECT ...` and `WITH FUNCTION f() ... SELECT ...`; a query of such a name is followed by AS or its columns. */
function checkInlineSessions(tokens: readonly TrinoToken[]): void {
  for (const [index, token] of tokens.entries()) {
    if (!isWord(token, 'WITH')) continue;
    const what = tokens[index + 1];
    const isInline = isWord(what, 'SESSION') || isWord(what, 'FUNCTION');
    const after = tokens[index + 2];
    if (isInline && !isWord(after, 'AS') && !isMark(after, '(')) throw refused(`WITH ${what?.text} is not allowed`);
  }
}

function checkTableFunctions(tokens: readonly TrinoToken[]): void {
  for (const [index, token] of tokens.entries()) {
    if (!isWord(token, 'TABLE') || !isMark(tokens[index + 1], '(')) continue;
    const name = readName(tokens, index + 2);
    if (name === undefined || !isMark(tokens[name.next], '(')) continue;
    const text = name.parts.join('.');
    if (name.parts.length === 1 && READS.has(text.toUpperCase())) continue;
    const own = text.startsWith(TABLE_FUNCTION_SCHEMA) ? text.slice(TABLE_FUNCTION_SCHEMA.length) : text;
    if (!TABLE_FUNCTIONS.has(own)) throw refused(`the table function ${text} is not allowed`);
  }
}

/** A name of fewer than three parts is looked up in the catalog that every session begins in. */
function checkTableName(parts: readonly string[], catalogs: ReadonlySet<string>): void {
  const [catalog = ''] = parts;
  if (parts.length < 3) return;
  if (ENGINE_SCHEMAS.test(parts.join('.')) || !catalogs.has(catalog)) {
    throw new ProblemError(
      'permission_denied',
      `The catalog ${catalog} is not one of yours. Yours: ${[...catalogs].join(', ')}.`,
    );
  }
}

/** In characters, as Trino counts. */
function locate(sql: string, offset: number): SqlLocation {
  const lines = sql.slice(0, offset).split('\n');
  return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 };
}
