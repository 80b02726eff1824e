/** A token of Trino's SQL. */
export interface TrinoToken {
  /** `name`: an identifier in double quotes. `mark`: one character of anything else. */
  readonly kind: 'word' | 'name' | 'string' | 'mark';
  /** A word in upper case, a quoted name without its quotes, anything else as it stands. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const GAP = /(?:[ \t\r\n]+|--[^\r\n]*|\/\*[\s\S]*?\*\/)+/y;
const WORD = /[A-Za-z_0-9][A-Za-z0-9_]*/y;
const NAME = /"(?:[^"]|"")*"/y;
const STRING = /'(?:[^']|'')*'/y;

/**
 * Splits SQL as Trino's grammar (SqlBase.g4) does. The lexer of the house reads DuckDB's, and the two differ where it counts:
 * Trino's block comments do not nest, its strings know no backslash, and it has no dollar quotes, so that a statement could hide
 * from one lexer in what the other calls a comment. An unterminated quote or comment is its characters, one by one: more is read
 * as SQL than Trino would, never less, and Trino refuses such a text anyway.
 */
export function* lexTrinoSql(sql: string): Generator<TrinoToken> {
  let position = 0;
  while (position < sql.length) {
    position += matchAt(GAP, sql, position)?.length ?? 0;
    if (position >= sql.length) return;
    const start = position;
    const word = matchAt(WORD, sql, start);
    const name = word === undefined ? matchAt(NAME, sql, start) : undefined;
    const string = word === undefined && name === undefined ? matchAt(STRING, sql, start) : undefined;
    const raw = word ?? name ?? string ?? sql.charAt(start);
    position = start + raw.length;
    if (word !== undefined) yield { kind: 'word', text: word.toUpperCase(), start, end: position };
    else if (name !== undefined) {
      yield { kind: 'name', text: name.slice(1, -1).replaceAll('""', '"'), start, end: position };
    } else yield { kind: string === undefined ? 'mark' : 'string', text: raw, start, end: position };
  }
}

function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0];
}
