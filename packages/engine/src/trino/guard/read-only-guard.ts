import { ProblemError } from '@sluice/contract/problems';
import type { TrinoProfile } from '../protocol/profile.ts';
import { catalogNames } from './catalog-names.ts';
import { readOnlyProblem, severalStatements, syntaxProblem } from './guard-problems.ts';
import { isMark, isWord, type QualifiedName, readName } from './qualified-name.ts';
import { checkShow } from './show-guard.ts';
import { lexTrinoSql, type TrinoToken } from './sql-lexer.ts';

/** First words of statements that only read. Trino's grammar has no other statement that begins with them. */
const READS: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'VALUES', 'TABLE']);
const DESCRIPTIONS: ReadonlySet<string> = new Set(['SHOW', 'DESCRIBE', 'DESC']);
/** First words of all other statements of Trino. Any other word cannot begin a statement. */
const OTHER_STATEMENTS: ReadonlySet<string> = new Set([
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
/** Table functions that create rows or rearrange those of a table. All others may send their own SQL to a data source. */
const TABLE_FUNCTIONS: ReadonlySet<string> = new Set(['sequence', 'exclude_columns']);
const BUILT_IN_SCHEMA = 'system.builtin.';
/** Catalogs that describe Trino itself, whatever catalogs a tenant has. */
const ENGINE_SCHEMAS = /^system\.(?:runtime|metadata|jdbc)(?:\.|$)/;

/**
 * Accepts one reading statement and returns it without the semicolons after it. Throws `read_only` for what must not run,
 * `permission_denied` for a catalog that is not the tenant's, and `syntax_error` for text that Trino's grammar has no token for,
 * or no statement. Trino's access control decides which user may read which table.
 */
export function checkStatement(sql: string, profile: Pick<TrinoProfile, 'catalogs'>): string {
  const tokens = [...lexTrinoSql(sql)];
  const unknown = tokens.find(({ kind }) => kind === 'unknown');
  if (unknown !== undefined) throw syntaxProblem(unknownText(unknown.text), sql, unknown);
  while (isMark(tokens.at(-1), ';')) tokens.pop();
  const last = tokens.at(-1);
  if (last === undefined) {
    throw new ProblemError('syntax_error', 'There is no statement: the SQL contains only comments or semicolons.');
  }
  const semicolon = tokens.find((token) => isMark(token, ';'));
  if (semicolon !== undefined) throw severalStatements(sql, semicolon);
  const read = explainedStatement(tokens, sql);
  checkFirstWord(read, sql);
  checkInlineSessions(read);
  checkTableFunctions(read);
  if (profile.catalogs.length === 0) throw noCatalogProblem();
  const catalogs = new Set(profile.catalogs.map((catalog) => catalog.toLowerCase()));
  for (const name of catalogNames(read)) {
    if (name.parts.length >= PARTS_WITH_CATALOG && !isBuiltIn(name, read)) checkCatalog(name.parts, catalogs);
  }
  if (read[0]?.kind === 'word' && DESCRIPTIONS.has(read[0].text)) {
    checkShow(read, {
      checkCatalog: (parts) => checkCatalog(parts, catalogs),
      unexpected: (token) => syntaxProblem(`${sql.slice(token.start, token.end)} is not expected here.`, sql, token),
    });
  }
  return sql.slice(0, last.end);
}

/** A name with fewer parts is looked up in the default catalog of every session. */
const PARTS_WITH_CATALOG = 3;

const noCatalogProblem = (): ProblemError =>
  new ProblemError('permission_denied', 'Your tenant has no catalog yet. The operator of the service can add one.');

const UNTERMINATED: Readonly<Record<string, string>> = {
  '/*': 'The comment that begins here does not end.',
  "'": 'The string that begins here does not end.',
  '"': 'The quoted name that begins here does not end.',
};

const unknownText = (text: string): string =>
  UNTERMINATED[text] ?? `Trino’s SQL has no character ${JSON.stringify(text)} outside quotes and comments.`;

/** Returns the statement that EXPLAIN explains, or runs under ANALYZE. It must be one that could run by itself. */
export function explainedStatement(tokens: readonly TrinoToken[], sql: string): readonly TrinoToken[] {
  if (!isWord(tokens[0], 'EXPLAIN')) return tokens;
  if (isWord(tokens[1], 'ANALYZE')) return tokens.slice(isWord(tokens[2], 'VERBOSE') ? 3 : 2);
  if (!isMark(tokens[1], '(') || !isWord(tokens[2], 'TYPE', 'FORMAT')) return tokens.slice(1);
  for (let next = 2; ; next += 3) {
    const [option, value, end] = tokens.slice(next, next + 3);
    const isOption = isWord(option, 'TYPE', 'FORMAT') && value?.kind === 'word';
    if (isOption && isMark(end, ')')) return tokens.slice(next + 3);
    if (isOption && isMark(end, ',')) continue;
    const token = option ?? (tokens.at(-1) as TrinoToken);
    throw syntaxProblem(
      'EXPLAIN supports only the options TYPE and FORMAT, each with a word, in parentheses.',
      sql,
      token,
    );
  }
}

function checkFirstWord(tokens: readonly TrinoToken[], sql: string): void {
  const first = tokens.find((token) => !isMark(token, '('));
  if (first?.kind === 'word') {
    if (READS.has(first.text) || (first === tokens[0] && DESCRIPTIONS.has(first.text))) return;
    if (OTHER_STATEMENTS.has(first.text) || first.text === 'EXPLAIN')
      throw readOnlyProblem(`${first.text} is not allowed`);
  }
  const what =
    first === undefined
      ? 'The statement is empty'
      : `A statement cannot begin with ${sql.slice(first.start, first.end)}`;
  const sentence = `${what}. Begin with SELECT, WITH, VALUES, TABLE, SHOW, DESCRIBE or EXPLAIN.`;
  const token = first ?? tokens.at(-1);
  throw token === undefined ? new ProblemError('syntax_error', sentence) : syntaxProblem(sentence, sql, token);
}

/**
 * Rejects `WITH SESSION a = b SELECT ...` and `WITH FUNCTION f() ... SELECT ...`; a query with such a name is followed by AS or
 * its columns.
 */
function checkInlineSessions(tokens: readonly TrinoToken[]): void {
  for (const [index, token] of tokens.entries()) {
    if (!isWord(token, 'WITH')) continue;
    const what = tokens[index + 1];
    const isInline = isWord(what, 'SESSION') || isWord(what, 'FUNCTION');
    const after = tokens[index + 2];
    if (isInline && !isWord(after, 'AS') && !isMark(after, '('))
      throw readOnlyProblem(`WITH ${what?.text} is not allowed`);
  }
}

function checkTableFunctions(tokens: readonly TrinoToken[]): void {
  for (const [index, token] of tokens.entries()) {
    if (!isWord(token, 'TABLE') || !isMark(tokens[index + 1], '(')) continue;
    const name = readName(tokens, index + 2);
    if (name === undefined || !isMark(tokens[name.next], '(')) continue;
    if (name.parts.length === 1 && isWord(tokens[index + 2], ...READS)) continue;
    const text = name.parts.join('.');
    const own = text.startsWith(BUILT_IN_SCHEMA) ? text.slice(BUILT_IN_SCHEMA.length) : text;
    if (!TABLE_FUNCTIONS.has(own)) throw readOnlyProblem(`the table function ${text} is not allowed`);
  }
}

/** Returns whether a name is one of Trino's own functions, by its full name. */
const isBuiltIn = ({ parts, next }: QualifiedName, tokens: readonly TrinoToken[]): boolean =>
  isMark(tokens[next], '(') && parts.length === PARTS_WITH_CATALOG && `${parts[0]}.${parts[1]}.` === BUILT_IN_SCHEMA;

/** Throws unless the first part of a name is a catalog of the tenant. */
function checkCatalog(parts: readonly string[], catalogs: ReadonlySet<string>): void {
  const [catalog = ''] = parts;
  if (ENGINE_SCHEMAS.test(parts.join('.')) || !catalogs.has(catalog)) {
    throw new ProblemError(
      'permission_denied',
      `The catalog ${catalog} is not one of yours. Yours: ${[...catalogs].join(', ')}.`,
    );
  }
}
