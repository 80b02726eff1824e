import { type SqlDialect, SqlScanner, statements, type TextRange } from './sql-scanner.ts';

/** A name with dots, such as `demo.vega."My table"`. Parts are without their quotes. */
export type NamePath = readonly string[];

/** A table that the statement names, or a name that it gives to a subquery (`path` is empty). */
export interface NamedTable {
  readonly path: NamePath;
  /** Name that the rest of the statement uses. */
  readonly alias: string;
}

/** Name at the cursor, and the part of the statement that it is in. */
export interface CompletionContext {
  /** Parts before the last dot. */
  readonly qualifier: NamePath;
  /** Beginning of the name, without an opening quote. */
  readonly prefix: string;
  /** Start of the name with its qualifier. */
  readonly pathFrom: number;
  /** Start of the text that a completion replaces, with its quote. */
  readonly from: number;
  /** End of the text that a completion replaces. */
  readonly to: number;
  readonly isQuoted: boolean;
  /** Kind of name at the cursor: a table, as after FROM, a new name, as after AS, or anything else. */
  readonly position: 'table' | 'new-name' | 'expression';
  readonly tables: readonly NamedTable[];
}

/** Longest statement that is read for completion, in characters before and after the cursor. */
const WINDOW_CHARACTERS = 32_768;
const BEFORE_TABLE = new Set(['FROM', 'JOIN', 'DESCRIBE', 'DESC', 'TABLE', 'SUMMARIZE', 'INTO', 'COLUMNS']);
const BEFORE_NEW_NAME = new Set(['AS']);
const CASTS = new Set(['CAST', 'TRY_CAST']);
const AFTER_TABLE = new Set(
  'AS ON USING WHERE GROUP ORDER HAVING LIMIT OFFSET UNION EXCEPT INTERSECT JOIN LEFT RIGHT FULL INNER CROSS NATURAL WINDOW QUALIFY FETCH FOR TABLESAMPLE MATCH_RECOGNIZE SET VALUES SELECT ASOF POSITIONAL LATERAL UNNEST'.split(
    ' ',
  ),
);

interface Token {
  readonly kind: SqlScanner['kind'];
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Reads what is typed at the cursor, and the tables of its statement.
 * @returns undefined in a string, a comment or a number, where nothing is completed
 */
export function completionContext(text: string, cursor: number, dialect: SqlDialect): CompletionContext | undefined {
  const windowStart = text.length > WINDOW_CHARACTERS * 2 ? Math.max(0, cursor - WINDOW_CHARACTERS) : 0;
  const part = text.slice(windowStart, cursor + WINDOW_CHARACTERS);
  const at = cursor - windowStart;
  const tokens = readTokens(part, segmentAt(part, at, dialect), dialect);
  const typed = typedName(tokens, at);
  if (typed === undefined) return undefined;
  const before = tokens.filter((token) => token.to <= typed.pathFrom);
  return {
    qualifier: typed.qualifier,
    prefix: typed.prefix,
    pathFrom: typed.pathFrom + windowStart,
    from: typed.from + windowStart,
    to: typed.to + windowStart,
    isQuoted: typed.isQuoted,
    position: findPosition(before),
    tables: namedTables(tokens, at),
  };
}

/** Returns the text between the semicolons around the cursor. */
function segmentAt(text: string, cursor: number, dialect: SqlDialect): TextRange {
  let from = 0;
  for (const { to, end } of statements(text, dialect)) {
    if (cursor <= end) return { from, to: Math.max(to, cursor) };
    from = end;
  }
  return { from, to: cursor };
}

function readTokens(text: string, { from, to }: TextRange, dialect: SqlDialect): Token[] {
  const tokens: Token[] = [];
  const scanner = new SqlScanner(text.slice(0, to), dialect, from);
  while (scanner.next()) tokens.push({ kind: scanner.kind, text: scanner.text, from: scanner.start, to: scanner.end });
  return tokens;
}

interface TypedName {
  readonly qualifier: NamePath;
  readonly prefix: string;
  readonly from: number;
  readonly to: number;
  readonly pathFrom: number;
  readonly isQuoted: boolean;
}

function typedName(tokens: readonly Token[], cursor: number): TypedName | undefined {
  const current = tokens.find(({ from, to }) => from < cursor && cursor <= to);
  const isOpenName = current?.kind === 'unterminated' && current.text.startsWith('"');
  const isName = current?.kind === 'word' || (current?.kind === 'name' && cursor < current.to) || isOpenName;
  if (current !== undefined && !isName && !isBoundary(current, cursor)) return undefined;
  const from = isName ? current.from : cursor;
  const isQuoted = isName && current.kind !== 'word';
  const prefix = isName ? current.text.slice(isQuoted ? 1 : 0, cursor - from).replaceAll('""', '"') : '';
  const before = tokens.filter((token) => token.to <= from);
  const qualifier: string[] = [];
  let pathFrom = from;
  for (let index = before.length - 1; index > 0; index -= 2) {
    const [name, dot] = [before[index - 1], before[index]];
    if (dot?.text !== '.' || dot.to !== pathFrom || name === undefined || name.to !== dot.from || !isIdentifier(name))
      break;
    qualifier.unshift(nameOf(name));
    pathFrom = name.from;
  }
  return { qualifier, prefix, from, to: current?.kind === 'name' ? current.to : cursor, pathFrom, isQuoted };
}

/** Returns whether a new name may begin behind a token that ends at the cursor. */
const isBoundary = ({ kind, to }: Token, cursor: number): boolean =>
  to === cursor && (kind === 'mark' || kind === 'operator');

const isIdentifier = ({ kind }: Token): boolean => kind === 'word' || kind === 'name';
const nameOf = ({ kind, text }: Token): string => (kind === 'name' ? text.slice(1, -1).replaceAll('""', '"') : text);
const isKeyword = (token: Token | undefined, words: ReadonlySet<string>): boolean =>
  token?.kind === 'word' && words.has(token.text.toUpperCase());

function findPosition(before: readonly Token[]): CompletionContext['position'] {
  const code = before.filter(({ kind }) => kind !== 'comment');
  if (isKeyword(code.at(-1), BEFORE_NEW_NAME) && !isInCast(code)) return 'new-name';
  return isTablePosition(before) ? 'table' : 'expression';
}

/** Returns whether the last token is in the parentheses of a CAST, where AS precedes a type. */
function isInCast(code: readonly Token[]): boolean {
  let depth = 0;
  for (let index = code.length - 1; index > 0; index -= 1) {
    if (code[index]?.text === ')') depth += 1;
    if (code[index]?.text === '(') depth -= 1;
    if (depth < 0) return isKeyword(code[index - 1], CASTS);
  }
  return false;
}

function isTablePosition(before: readonly Token[]): boolean {
  const last = before.filter(({ kind }) => kind !== 'comment').at(-1);
  if (isKeyword(last, BEFORE_TABLE)) return true;
  if (last?.text !== ',') return false;
  // `FROM a, |`: the last keyword at this depth decides.
  let depth = 0;
  for (const token of [...before].reverse()) {
    if (token.text === ')') depth += 1;
    if (token.text === '(') depth -= 1;
    if (depth < 0) return false;
    if (depth === 0 && isKeyword(token, BEFORE_TABLE)) return true;
    else if (
      depth === 0 &&
      isKeyword(token, AFTER_TABLE) &&
      !/^(?:AS|ON|USING|LEFT|RIGHT|INNER|CROSS|FULL)$/i.test(token.text)
    )
      return false;
  }
  return false;
}

/** Finds `FROM a.b.c AS d`, `JOIN a d` and `WITH d AS (`. The name at the cursor is not one of them. */
function namedTables(tokens: readonly Token[], cursor: number): NamedTable[] {
  const code = tokens.filter(({ kind }) => kind !== 'comment');
  const tables: NamedTable[] = [];
  let isList = false;
  for (let index = 0; index < code.length; index += 1) {
    const token = code[index] as Token;
    const next = code[index + 1];
    if (isIdentifier(token) && next?.text.toUpperCase() === 'AS' && code[index + 2]?.text === '(')
      tables.push({ path: [], alias: nameOf(token) });
    const begins = isKeyword(token, BEFORE_TABLE) || (isList && token.text === ',');
    if (isKeyword(token, AFTER_TABLE) && !begins) isList = false;
    if (!begins || next === undefined || !isIdentifier(next) || isKeyword(next, AFTER_TABLE)) continue;
    isList = true;
    const { path, end } = readPath(code, index + 1);
    const last = code[end]?.text === '.' ? code[end] : code[end - 1];
    const isTyped = next.from < cursor && cursor <= (last?.to ?? 0);
    if (!isTyped) tables.push({ path, alias: aliasAt(code, end) ?? path.at(-1) ?? '' });
    index = end - 1;
  }
  return tables;
}

function readPath(tokens: readonly Token[], start: number): { readonly path: string[]; readonly end: number } {
  const path = [nameOf(tokens[start] as Token)];
  let end = start + 1;
  for (
    let name = tokens[end + 1];
    tokens[end]?.text === '.' && name !== undefined && isIdentifier(name);
    name = tokens[end + 1]
  ) {
    path.push(nameOf(name));
    end += 2;
  }
  return { path, end };
}

function aliasAt(tokens: readonly Token[], position: number): string | undefined {
  const isNamed = tokens[position]?.text.toUpperCase() === 'AS';
  const token = tokens[isNamed ? position + 1 : position];
  if (token === undefined || !isIdentifier(token) || isKeyword(token, AFTER_TABLE)) return undefined;
  return nameOf(token);
}
