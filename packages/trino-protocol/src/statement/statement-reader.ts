import { isMark, isWord, lexTrinoSql, locationAt, type TrinoToken } from '@sluice/engine';
import { TrinoError } from '../trino-error.ts';

const SHOWN_CHARACTERS_MAX = 40;

/**
 * Reads the tokens of a statement of Trino's grammar in order, without the semicolons after it. Each method that cannot read what it is asked
 * for throws SYNTAX_ERROR with the position.
 */
export class StatementReader {
  readonly sql: string;
  readonly #tokens: readonly TrinoToken[];
  #next = 0;

  constructor(sql: string) {
    const tokens = [...lexTrinoSql(sql)];
    while (isMark(tokens.at(-1), ';')) tokens.pop();
    this.sql = sql;
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#next === this.#tokens.length;
  }

  /** Position in the SQL after the last token that was read. */
  get position(): number {
    return this.#tokens[this.#next - 1]?.end ?? 0;
  }

  /** Returns the next token, or one after it, without reading it. */
  peek(ahead = 0): TrinoToken | undefined {
    return this.#tokens[this.#next + ahead];
  }

  /** Reads the next token. */
  token(): TrinoToken {
    const token = this.peek();
    if (token === undefined || token.kind === 'unknown') throw this.unexpected();
    this.#next += 1;
    return token;
  }

  /** Reads these words if all of them come next. Returns whether they did. */
  take(...words: readonly string[]): boolean {
    const comes = words.every((word, ahead) => isWord(this.peek(ahead), word));
    if (comes) this.#next += words.length;
    return comes;
  }

  /** Reads this mark if it comes next. Returns whether it did. */
  takeMark(mark: string): boolean {
    const comes = isMark(this.peek(), mark);
    if (comes) this.#next += 1;
    return comes;
  }

  expect(...words: readonly string[]): void {
    if (!this.take(...words)) throw this.unexpected();
  }

  expectMark(mark: string): void {
    if (!this.takeMark(mark)) throw this.unexpected();
  }

  /** Reads a name, quoted or not, and returns it as written. */
  identifier(): string {
    const token = this.peek();
    if (token?.kind !== 'word' && token?.kind !== 'name') throw this.unexpected();
    this.#next += 1;
    return token.kind === 'name' ? token.text : this.sql.slice(token.start, token.end);
  }

  /** Reads a name with dots. */
  qualifiedName(): readonly string[] {
    const parts = [this.identifier()];
    while (this.takeMark('.')) parts.push(this.identifier());
    return parts;
  }

  /** Reads a string and returns its text. */
  string(): string {
    const token = this.peek();
    if (token?.kind !== 'string') throw this.unexpected();
    this.#next += 1;
    return textOfString(token);
  }

  /** Throws SYNTAX_ERROR unless everything is read. */
  end(): void {
    if (!this.isAtEnd) throw this.unexpected();
  }

  /** Returns the error for the next token. */
  unexpected(): TrinoError {
    const token = this.peek();
    const position = token?.start ?? this.position;
    const text =
      token === undefined
        ? 'The statement ends too early'
        : `${this.sql.slice(token.start, Math.min(token.end, token.start + SHOWN_CHARACTERS_MAX))} is not expected here`;
    return syntaxError(`${text}.`, this.sql, position);
  }
}

/** Returns SYNTAX_ERROR at a position of a statement. */
export function syntaxError(sentence: string, sql: string, position: number): TrinoError {
  return new TrinoError('SYNTAX_ERROR', sentence, errorLocation(sql, position));
}

/** Returns the line and column of a position as errors of Trino have them. */
export function errorLocation(sql: string, position: number): NonNullable<TrinoError['location']> {
  const { line, column } = locationAt(sql, position);
  return { lineNumber: line, columnNumber: column };
}

/** Returns the text of a string in quotes. */
export const textOfString = ({ text }: TrinoToken): string => text.slice(1, -1).replaceAll("''", "'");

/** Returns the first word of a statement in upper case; empty if it begins with something else. */
export function firstWord(sql: string): string {
  for (const { kind, text } of lexTrinoSql(sql)) return kind === 'word' ? text : '';
  return '';
}
