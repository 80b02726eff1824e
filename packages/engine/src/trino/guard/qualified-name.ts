import { lowerAscii } from '../../lower-ascii.ts';
import type { TrinoToken } from './sql-lexer.ts';

/**
 * `a.b.c` as Trino compares it: in lower case, quoted or not. Only ASCII letters are lowered, so that a name with another letter
 * (the Kelvin sign, which lowers to `k`) equals no name of ASCII.
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

/** The name that begins at this token; undefined where none does. */
export function readName(tokens: readonly TrinoToken[], start: number): QualifiedName | undefined {
  const parts: string[] = [];
  for (let next = start; ; next += 2) {
    const token = tokens[next];
    if (!isPart(token)) return parts.length === 0 ? undefined : { parts, next };
    parts.push(lowerAscii(token.text));
    if (!isMark(tokens[next + 1], '.')) return { parts, next: next + 1 };
  }
}
