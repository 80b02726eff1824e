import { lowerAscii } from '../../lower-ascii.ts';
import type { TrinoToken } from './sql-lexer.ts';

/**
 * `a.b.c` as Trino compares it: in lower case, quoted or not. Only ASCII letters are converted, so that a name with another
 * letter (the Kelvin sign, whose lower case is `k`) does not equal any ASCII name.
 */
export interface QualifiedName {
  readonly parts: readonly string[];
  /** Index of the token after it. */
  readonly next: number;
}

export const isMark = (token: TrinoToken | undefined, text: string): boolean =>
  token?.kind === 'mark' && token.text === text;

export const isWord = (token: TrinoToken | undefined, ...texts: readonly string[]): boolean =>
  token?.kind === 'word' && texts.includes(token.text);

const isPart = (token: TrinoToken | undefined): token is TrinoToken => token?.kind === 'word' || token?.kind === 'name';

/** Reads the name that begins at this token; undefined if there is none. */
export function readName(tokens: readonly TrinoToken[], start: number): QualifiedName | undefined {
  const parts: string[] = [];
  for (let next = start; ; next += 2) {
    const token = tokens[next];
    if (!isPart(token)) return parts.length === 0 ? undefined : { parts, next };
    parts.push(lowerAscii(token.text));
    if (!isMark(tokens[next + 1], '.')) return { parts, next: next + 1 };
  }
}
