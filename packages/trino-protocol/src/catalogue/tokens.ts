import { lexSql } from '@sluice/engine';

/** A token of SQL, with names and strings without their quotes. */
export interface Token {
  readonly kind: 'word' | 'quoted name' | 'string' | 'other';
  /** Upper case for words; the content of a quoted name or string. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A name of one or more parts: `system.jdbc."tables"`. */
export interface DottedName {
  readonly parts: readonly Token[];
  /** Token before the name. */
  readonly before: Token | undefined;
  /** Token after the name. */
  readonly after: Token | undefined;
}

const KINDS: Readonly<Record<string, 'quoted name' | 'string'>> = { '"': 'quoted name', "'": 'string' };

/** Returns the tokens of one statement without the semicolons that follow it; undefined for several statements. */
export function tokensOf(sql: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  let isEnded = false;
  for (const { kind, text, start, end } of lexSql(sql)) {
    if (kind === 'semicolon') {
      isEnded = true;
      continue;
    }
    if (isEnded) return undefined;
    const quoted = kind === 'other' ? KINDS[text.charAt(0)] : undefined;
    if (quoted === undefined) tokens.push({ kind: kind === 'word' ? 'word' : 'other', text, start, end });
    else addQuoted(tokens, { kind: quoted, text: '', start, end });
  }
  return tokens.map((token) => (isQuoted(token) ? { ...token, text: contentOf(sql, token) } : token));
}

const isQuoted = ({ kind }: Token): boolean => kind === 'quoted name' || kind === 'string';

/** Adds a quoted token. The lexer reads a doubled quote as two of them in a row. Its text is read when its end is known. */
function addQuoted(tokens: Token[], token: Token): void {
  const last = tokens.at(-1);
  const continues = last?.kind === token.kind && last.end === token.start;
  if (continues) tokens.pop();
  tokens.push({ ...token, start: continues ? last.start : token.start });
}

function contentOf(sql: string, { start, end }: Token): string {
  const quote = sql.charAt(start);
  return sql.slice(start + 1, end - 1).replaceAll(quote + quote, quote);
}

const isName = (token: Token | undefined): token is Token => token?.kind === 'word' || token?.kind === 'quoted name';
export const isMark = (token: Token | undefined, mark: string): boolean =>
  token?.kind === 'other' && token.text === mark;
export const isWord = (token: Token | undefined, ...words: readonly string[]): boolean =>
  token?.kind === 'word' && words.includes(token.text);

/** Returns all names of a statement in order. Keywords are names of one part. */
export function dottedNames(tokens: readonly Token[]): readonly DottedName[] {
  const names: DottedName[] = [];
  let index = 0;
  while (index < tokens.length) {
    const first = tokens[index];
    if (!isName(first)) {
      index += 1;
      continue;
    }
    const begin = index;
    const parts = [first];
    index += 1;
    for (;;) {
      const next = tokens[index + 1];
      if (!isMark(tokens[index], '.') || !isName(next)) break;
      parts.push(next);
      index += 2;
    }
    names.push({ parts, before: tokens[begin - 1], after: tokens[index] });
  }
  return names;
}

/** Returns a name as Trino compares it: in lower case, quoted or not. */
export const nameOf = ({ text }: Token): string => text.toLowerCase();

/** Position in a statement, from 1. */
export interface Location {
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** Returns the line and column of a position. */
export function locationOf(sql: string, position: number): Location {
  const lines = sql.slice(0, position).split('\n');
  return { lineNumber: lines.length, columnNumber: (lines.at(-1)?.length ?? 0) + 1 };
}

/** Returns a string literal of DuckDB. NUL has no literal, and no name contains it. */
export const sqlText = (text: string): string => `'${text.replaceAll('\0', '\uFFFD').replaceAll("'", "''")}'`;

export const sqlName = (name: string): string => `"${name.replaceAll('\0', '\uFFFD').replaceAll('"', '""')}"`;
