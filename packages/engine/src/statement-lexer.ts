/** A token of SQL in the detail that statements and keywords need: words, and everything else by kind. */
export interface SqlToken {
  readonly kind: 'word' | 'semicolon' | 'other';
  /** Upper case for words. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const WHITE_SPACE = /\s+/y;
// DuckDB ends a line comment at a carriage return too.
const LINE_COMMENT = /--[^\r\n]*/y;
const ESCAPE_STRING = /[Ee]'(?:[^'\\]|\\[\s\S]|'')*'?/y;
const WORD = /[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y;
const DOLLAR_QUOTE = /\$([A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y;

/**
 * Splits SQL into tokens, skipping white space and comments (including nested block comments). It describes SQL and never decides
 * what runs: only an engine's own parser knows where its statements end, so it must confirm every conclusion drawn from tokens
 * (`duckdb/checked-statement.ts`). It never throws: an unterminated quote or comment runs to the end, and the engine's parser
 * reports the error.
 */
export function* lexSql(sql: string): Generator<SqlToken> {
  let position = 0;
  while (position < sql.length) {
    const skipped = endOfGap(sql, position);
    if (skipped > position) {
      position = skipped;
      continue;
    }
    const start = position;
    const character = sql[start];
    const word = matchAt(WORD, sql, start);
    const escaped = matchAt(ESCAPE_STRING, sql, start);
    if (escaped !== undefined) {
      position = start + escaped.length;
      yield { kind: 'other', text: escaped, start, end: position };
      continue;
    }
    if (word !== undefined) {
      position = start + word.length;
      yield { kind: 'word', text: word.toUpperCase(), start, end: position };
      continue;
    }
    position = endOfOther(sql, start);
    yield { kind: character === ';' ? 'semicolon' : 'other', text: sql.slice(start, position), start, end: position };
  }
}

function endOfGap(sql: string, start: number): number {
  const blank = matchAt(WHITE_SPACE, sql, start) ?? matchAt(LINE_COMMENT, sql, start);
  if (blank !== undefined) return start + blank.length;
  return sql.startsWith('/*', start) ? endOfBlockComment(sql, start) : start;
}

function endOfBlockComment(sql: string, start: number): number {
  let depth = 0;
  for (let position = start; position < sql.length; position += 1) {
    if (sql.startsWith('/*', position)) {
      depth += 1;
      position += 1;
    } else if (sql.startsWith('*/', position)) {
      depth -= 1;
      position += 1;
      if (depth === 0) return position + 1;
    }
  }
  return sql.length;
}

function endOfOther(sql: string, start: number): number {
  const character = sql[start];
  if (character === "'" || character === '"') return endOfQuote(sql, start, character);
  const dollar = matchAt(DOLLAR_QUOTE, sql, start);
  if (dollar === undefined) return start + 1;
  const end = sql.indexOf(dollar, start + dollar.length);
  return end === -1 ? sql.length : end + dollar.length;
}

function endOfQuote(sql: string, start: number, quote: string): number {
  const end = sql.indexOf(quote, start + 1);
  return end === -1 ? sql.length : end + 1; // a doubled quote is two quoted tokens in a row, which makes no difference here
}

function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0];
}

/** Returns the statement without the semicolons and comments that follow it; the unchanged text if there is no semicolon. */
export function stripTrailingSemicolons(sql: string): string {
  let end = 0;
  let hasSemicolon = false;
  for (const token of lexSql(sql)) {
    if (token.kind === 'semicolon') hasSemicolon = true;
    else end = token.end;
  }
  return hasSemicolon ? sql.slice(0, end) : sql;
}

/** Returns the position of the semicolon after the first statement of SQL, or its length if there is none. */
export function endOfFirstStatement(sql: string): number {
  let hasStatement = false;
  for (const { kind, start } of lexSql(sql)) {
    if (kind === 'semicolon' && hasStatement) return start;
    hasStatement ||= kind !== 'semicolon';
  }
  return sql.length;
}

/**
 * Returns the number of statements in SQL. Semicolons outside quotes and comments separate them; empty statements, which consist of
 * white space and comments, do not count.
 */
export function countStatements(sql: string): number {
  let count = 0;
  let isInStatement = false;
  for (const { kind } of lexSql(sql)) {
    if (kind !== 'semicolon' && !isInStatement) count += 1;
    isInStatement = kind !== 'semicolon';
  }
  return count;
}
