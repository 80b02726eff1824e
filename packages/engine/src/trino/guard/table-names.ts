import { type QualifiedName, readName } from './qualified-name.ts';
import type { TrinoToken } from './sql-lexer.ts';

interface Frame {
  /** Between FROM and what ends its list, so that a comma is followed by a table. */
  isTableList: boolean;
  /** FROM in this function's parentheses is a part of its syntax. */
  readonly hasOwnFrom: boolean;
}

const OWN_FROM: ReadonlySet<string> = new Set(['EXTRACT', 'TRIM', 'SUBSTRING', 'OVERLAY', 'POSITION']);
const ENDS_TABLE_LIST: ReadonlySet<string> = new Set([
  ...[
    'SELECT',
    'WHERE',
    'GROUP',
    'HAVING',
    'ORDER',
    'WINDOW',
    'LIMIT',
    'OFFSET',
    'FETCH',
    'UNION',
    'INTERSECT',
    'EXCEPT',
  ],
]);

/**
 * The names that surely are tables: what stands behind FROM, JOIN, TABLE and a comma of FROM's list. A name in another place
 * may be one of a column, so it is left to Trino's access control.
 */
export function* tableNames(tokens: readonly TrinoToken[]): Generator<QualifiedName> {
  const frames: Frame[] = [{ isTableList: false, hasOwnFrom: false }];
  let isTableNext = false;
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    if (isTableNext && token.kind !== 'mark' && !(token.kind === 'word' && QUERY_WORDS.has(token.text))) {
      const name = readName(tokens, index);
      if (name !== undefined) yield name;
    }
    isTableNext = followMark(token, { frames, before, isTableNext });
    if (token.kind === 'word' && before?.text !== '.') {
      isTableNext = followWord(token.text, frames.at(-1), before?.text);
    }
  }
}

const QUERY_WORDS: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'VALUES', 'TABLE', 'LATERAL', 'UNNEST']);

interface Place {
  readonly frames: Frame[];
  readonly before: TrinoToken | undefined;
  readonly isTableNext: boolean;
}

/** Follows parentheses and commas, and answers whether a table is due behind them. */
function followMark(token: TrinoToken, { frames, before, isTableNext }: Place): boolean {
  if (token.kind !== 'mark') return false;
  if (token.text === '(') {
    frames.push({ isTableList: isTableNext, hasOwnFrom: before?.kind === 'word' && OWN_FROM.has(before.text) });
    return isTableNext; // where a table is due, a parenthesis holds a query, or tables
  }
  if (token.text === ')' && frames.length > 1) frames.pop();
  return token.text === ',' && frames.at(-1)?.isTableList === true;
}

/** Follows a word: whether it begins or ends FROM's list, and whether a table comes next. */
function followWord(word: string, frame: Frame | undefined, before: string | undefined): boolean {
  if (word === 'FROM' && frame !== undefined) {
    // `a IS DISTINCT FROM b`, `extract(day FROM b)`
    if (frame.hasOwnFrom || before === 'DISTINCT') return false;
    frame.isTableList = true;
    return true;
  }
  if (ENDS_TABLE_LIST.has(word) && frame !== undefined) frame.isTableList = false;
  return word === 'JOIN' || word === 'TABLE';
}
