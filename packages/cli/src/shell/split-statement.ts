import { SqlScanner } from '@sluice/contract/sql';

/** Syntax element that the end of an unfinished statement is in. `text`: none of the others. */
export type OpenPart = 'text' | 'string' | 'name' | 'comment' | 'dollar quote';

export interface Split {
  /** The first statement, without its semicolon; undefined if it is not complete. */
  readonly statement: string | undefined;
  /** Text after the semicolon; the whole text if there is no statement. */
  readonly rest: string;
  /** Element that `rest` ends in. Always `text` behind a statement. */
  readonly open: OpenPart;
}

const OPENINGS = { '"': 'name', '/': 'comment', $: 'dollar quote' } as const satisfies Record<string, OpenPart>;

const openPart = (token: string): OpenPart => OPENINGS[token.charAt(0) as keyof typeof OPENINGS] ?? 'string';

/** Splits off the first statement that a semicolon ends. Semicolons in strings, quoted names, comments and dollar quotes do not. */
export function splitStatement(text: string): Split {
  // The shell does not know the engine, and reads SQL as PostgreSQL and DuckDB do.
  const scanner = new SqlScanner(text, 'duckdb');
  while (scanner.next()) {
    if (scanner.isSemicolon)
      return { statement: text.slice(0, scanner.start), rest: text.slice(scanner.end), open: 'text' };
    if (scanner.kind === 'unterminated') return { statement: undefined, rest: text, open: openPart(scanner.text) };
  }
  return { statement: undefined, rest: text, open: 'text' };
}

/** Returns whether the input has neither SQL nor the beginning of any: only spaces and comments. */
export function isBlank(text: string): boolean {
  const scanner = new SqlScanner(text, 'duckdb');
  while (scanner.next()) if (scanner.kind !== 'comment') return false;
  return true;
}
