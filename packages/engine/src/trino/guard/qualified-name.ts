import type { TrinoToken } from './sql-lexer.ts';

/** `a.b.c` as Trino compares it: all of it in lower case, quoted or not. */
export interface QualifiedName {
  readonly parts: readonly string[];
  /** Index of the token behind it. */
  readonly next: number;
}

const isPart = (token: TrinoToken | undefined): token is TrinoToken => token?.kind === 'word' || token?.kind === 'name';

/** The name that begins at this token; undefined where none does. */
export function readName(tokens: readonly TrinoToken[], start: number): QualifiedName | undefined {
  const parts: string[] = [];
  for (let next = start; ; next += 2) {
    const token = tokens[next];
    if (!isPart(token)) return undefined;
    parts.push(token.text.toLowerCase());
    if (tokens[next + 1]?.text !== '.' || tokens[next + 1]?.kind !== 'mark') return { parts, next: next + 1 };
  }
}
