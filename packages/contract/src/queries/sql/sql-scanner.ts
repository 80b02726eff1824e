/** SQL as an engine reads it. DuckDB follows PostgreSQL. */
export type SqlDialect = 'duckdb' | 'trino';

export type TokenKind =
  | 'word'
  /** An identifier in double quotes. */
  | 'name'
  | 'string'
  | 'number'
  /** `$name`, or a mark that the hosts reject, such as `$1` or `?`. */
  | 'parameter'
  | 'operator'
  /** A bracket, comma, point or semicolon, or a character that no token begins with. */
  | 'mark'
  | 'comment'
  /** A quote or comment without an end. It reaches to the end of the text, as the engines read it. */
  | 'unterminated';

const WORD = {
  duckdb: /[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y,
  trino: /[A-Za-z_][A-Za-z0-9_]*/y,
} as const;
const DOLLAR_QUOTE = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y;
const PARAMETER = { duckdb: /\$(?:\d+|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)/y, trino: /\$\w+/y } as const;
const LINE_COMMENT = /--[^\r\n]*/y;
const BLANKS = /\s+/y;
const NUMBER = /(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[Ee][+-]?\d+)?/y;
const TRINO_OPERATOR = /<>|!=|<=|>=|\|\||->|=>|[<>=!+\-*/%&|^?]/y;
/**
 * An operator of PostgreSQL. A comment or `?` ends it. At most 63 characters, PostgreSQL's limit for names, because the rest of a long
 * series of signs is read again after each sign.
 */
const DUCKDB_OPERATOR = /(?:(?!--|\/\*)[~!@#^&|`+\-*/%<>=:]){1,63}/y;
/** Characters that let an operator of PostgreSQL end with `+` or `-`. */
const LETS_SIGN_END = /[~!@#%^&|`]/;

/**
 * Reads tokens one after the other. The fields describe the last token, because a script of 5 MB has a million of them. Never throws;
 * takes time linear in the length of the text.
 */
export class SqlScanner {
  kind: TokenKind = 'mark';
  start = 0;
  end: number;
  readonly #text: string;
  readonly #dialect: SqlDialect;
  /** Depth of brackets of a row pattern of Trino, `PATTERN (A? B $)`, in which `?` and `$` are not parameters. */
  #patternDepth = 0;
  #followsPattern = false;

  /** @param from - position outside any token, such as the start of a statement */
  constructor(text: string, dialect: SqlDialect, from = 0) {
    this.#text = text;
    this.#dialect = dialect;
    this.end = from;
  }

  /** Reads the next token. Returns false at the end of the text. */
  next(): boolean {
    this.start = matchEnd(BLANKS, this.#text, this.end) ?? this.end;
    if (this.start >= this.#text.length) return false;
    this.#read(this.#text.charAt(this.start));
    if (this.#dialect === 'trino' && this.kind !== 'comment') this.#followPattern();
    return true;
  }

  /** Text of the last token. */
  get text(): string {
    return this.#text.slice(this.start, this.end);
  }

  get isSemicolon(): boolean {
    return this.kind === 'mark' && this.#text.charAt(this.start) === ';';
  }

  /** Returns whether the last token is a word, in any case. `word` is in upper case. */
  isWord(word: string): boolean {
    return this.kind === 'word' && this.end - this.start === word.length && this.text.toUpperCase() === word;
  }

  #read(character: string): void {
    const pair = this.#text.slice(this.start, this.start + 2);
    if (pair === '--') this.#take('comment', matchEnd(LINE_COMMENT, this.#text, this.start));
    else if (pair === '/*') this.#take('comment', this.#blockCommentEnd());
    else if (character === "'") this.#take('string', quoteEnd(this.#text, this.start, "'"));
    else if (character === '"') this.#take('name', quoteEnd(this.#text, this.start, '"'));
    else if (character === '$') this.#readDollar();
    else if (/[\d.]/.test(character) && this.#taken('number', NUMBER)) return;
    else if (/^[Ee]'/.test(pair) && this.#dialect === 'duckdb')
      this.#take('string', escapeStringEnd(this.#text, this.start + 1));
    else if (!this.#taken('word', WORD[this.#dialect])) this.#readOperator(character);
  }

  #take(kind: TokenKind, end: number | undefined): void {
    this.kind = end === undefined ? 'unterminated' : kind;
    this.end = end ?? this.#text.length;
  }

  #taken(kind: TokenKind, pattern: RegExp): boolean {
    const end = matchEnd(pattern, this.#text, this.start);
    if (end !== undefined) this.#take(kind, end);
    return end !== undefined;
  }

  #readDollar(): void {
    const opening = this.#dialect === 'duckdb' ? matchEnd(DOLLAR_QUOTE, this.#text, this.start) : undefined;
    if (opening !== undefined) {
      const tag = this.#text.slice(this.start, opening);
      const close = this.#text.indexOf(tag, opening);
      this.#take('string', close === -1 ? undefined : close + tag.length);
    } else if (this.#patternDepth > 0 || !this.#taken('parameter', PARAMETER[this.#dialect]))
      this.#take('mark', this.start + 1);
  }

  #readOperator(character: string): void {
    if (this.#dialect === 'trino') {
      if (character === '?' && this.#patternDepth === 0) this.#take('parameter', this.start + 1);
      else if (!this.#taken('operator', TRINO_OPERATOR)) this.#take('mark', this.start + 1);
    } else if (character === '?') this.#take('parameter', this.start + 1);
    else if (this.#taken('operator', DUCKDB_OPERATOR)) this.#shortenOperator();
    else this.#take('mark', this.start + 1);
  }

  /** Applies PostgreSQL's rule that `=-` is two operators. */
  #shortenOperator(): void {
    const operator = this.text;
    if (!LETS_SIGN_END.test(operator)) this.end = this.start + operator.replace(/(?<=.)[+-]+$/, '').length;
  }

  #blockCommentEnd(): number | undefined {
    if (this.#dialect === 'duckdb') return nestedCommentEnd(this.#text, this.start);
    const close = this.#text.indexOf('*/', this.start + 2);
    return close === -1 ? undefined : close + 2;
  }

  #followPattern(): void {
    const character = this.kind === 'mark' ? this.#text.charAt(this.start) : '';
    if (character === '(' && (this.#patternDepth > 0 || this.#followsPattern)) this.#patternDepth += 1;
    else if (character === ')' && this.#patternDepth > 0) this.#patternDepth -= 1;
    this.#followsPattern = this.isWord('PATTERN');
  }
}

/** Part of the SQL: UTF-16 offsets, the end not included. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

interface Statement extends TextRange {
  /** End of its semicolon, or of the text. */
  readonly end: number;
}

/** Yields the statements in order. Empty ones are skipped. */
export function* statements(text: string, dialect: SqlDialect): Generator<Statement, void, undefined> {
  const scanner = new SqlScanner(text, dialect);
  let from: number | undefined;
  let to = 0;
  while (scanner.next()) {
    if (scanner.isSemicolon) {
      if (from !== undefined) yield { from, to, end: scanner.end };
      from = undefined;
    } else if (scanner.kind !== 'comment') {
      from ??= scanner.start;
      to = scanner.end;
    }
  }
  if (from !== undefined) yield { from, to, end: text.length };
}

function quoteEnd(text: string, start: number, quote: string): number | undefined {
  let close = text.indexOf(quote, start + 1);
  while (close !== -1 && text.charAt(close + 1) === quote) close = text.indexOf(quote, close + 2);
  return close === -1 ? undefined : close + 1;
}

const ESCAPE_OR_QUOTE = /\\[\s\S]|'/g;

/** Returns the end of a string with backslash escapes, such as `E'it\\'s'`, whose quote is at `start`. */
function escapeStringEnd(text: string, start: number): number | undefined {
  const marks = new RegExp(ESCAPE_OR_QUOTE);
  marks.lastIndex = start + 1;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === "'" && text.charAt(marks.lastIndex) !== "'") return marks.lastIndex;
    if (mark[0] === "'") marks.lastIndex += 1;
  }
  return undefined;
}

const COMMENT_MARKS = /\/\*|\*\//g;

function nestedCommentEnd(text: string, start: number): number | undefined {
  const marks = new RegExp(COMMENT_MARKS);
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return undefined;
}

function matchEnd(pattern: RegExp, text: string, position: number): number | undefined {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
