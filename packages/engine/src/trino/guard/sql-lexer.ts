/** A token of Trino's SQL. */
export interface TrinoToken {
  /**
   * `name`: an identifier in double quotes. `mark`: one character of an operator. `unknown`: text that Trino's grammar has no
   * token for. An unterminated quote or comment is one such token up to the end of the text.
   */
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'mark' | 'unknown';
  /** Words in upper case, quoted names without their quotes, anything else as written. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const BLANKS = /[ \t\r\n]+/y;
const LINE_COMMENT = /--[^\r\n]*/y;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER_START = '.0123456789';
/** Numbers. The longest match is used, as in Trino: `1.5FROM` is a number and a word, `1e5FROM` is one (invalid) name. */
const NUMBERS = [/\d(?:_?\d)*\.(?:\d(?:_?\d)*)?/y, /\d+(?:\.\d*)?[Ee][+-]?\d+/y, /\d[A-Za-z0-9_]*/y];
const FRACTIONS = [/\.\d(?:_?\d)*/y, /\.\d+[Ee][+-]?\d+/y];
/** Characters of operators, row patterns and `U&'...'`. */
const MARKS = '.,;:()[]{}<>=!+-*/%|?^$&';

/**
 * Splits SQL as Trino's grammar (SqlBase.g4) does, in time linear in its length. The lexer of `statement-lexer.ts` reads DuckDB's
 * SQL, and the two differ where it matters: Trino's block comments do not nest, its strings have no backslash escapes, and it has
 * no dollar quotes. A statement could hide from one lexer in what the other treats as a comment.
 */
export function* lexTrinoSql(sql: string): Generator<TrinoToken> {
  let position = endOfGap(sql, 0);
  while (position < sql.length) {
    const token = tokenAt(sql, position);
    yield token;
    position = endOfGap(sql, token.end);
  }
}

/** Returns the end of the white space and comments that begin here. An unterminated block comment is not part of it. */
function endOfGap(sql: string, start: number): number {
  let position = start;
  for (;;) {
    const end = endOfGapPart(sql, position);
    if (end === undefined) return position;
    position = end;
  }
}

function endOfGapPart(sql: string, start: number): number | undefined {
  const character = sql.charAt(start);
  if (character === '-') return matchEnd(LINE_COMMENT, sql, start);
  if (character !== '/') return character > ' ' ? undefined : matchEnd(BLANKS, sql, start);
  if (sql[start + 1] !== '*') return undefined;
  const close = sql.indexOf('*/', start + 2);
  return close === -1 ? undefined : close + 2;
}

function tokenAt(sql: string, start: number): TrinoToken {
  const word = matchEnd(WORD, sql, start);
  if (word !== undefined) return { kind: 'word', text: sql.slice(start, word).toUpperCase(), start, end: word };
  const character = sql.charAt(start);
  const number = NUMBER_START.includes(character) ? numberEnd(sql, start, character) : undefined;
  if (number !== undefined) return { kind: 'number', text: sql.slice(start, number), start, end: number };
  if (character === '"' || character === "'") return quotedAt(sql, start, character);
  // The gap before this token ended here, so a comment that begins here has no end.
  if (sql.startsWith('/*', start)) return { kind: 'unknown', text: '/*', start, end: sql.length };
  return { kind: MARKS.includes(character) ? 'mark' : 'unknown', text: character, start, end: start + 1 };
}

function quotedAt(sql: string, start: number, quote: '"' | "'"): TrinoToken {
  let close = sql.indexOf(quote, start + 1);
  while (close !== -1 && sql[close + 1] === quote) close = sql.indexOf(quote, close + 2);
  if (close === -1) return { kind: 'unknown', text: quote, start, end: sql.length };
  const end = close + 1;
  if (quote === "'") return { kind: 'string', text: sql.slice(start, end), start, end };
  return { kind: 'name', text: sql.slice(start + 1, close).replaceAll('""', '"'), start, end };
}

function numberEnd(sql: string, start: number, character: string): number | undefined {
  const patterns = character === '.' ? FRACTIONS : NUMBERS;
  const end = Math.max(...patterns.map((pattern) => matchEnd(pattern, sql, start) ?? -1));
  return end === -1 ? undefined : end;
}

function matchEnd(pattern: RegExp, text: string, position: number): number | undefined {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
