import { isMark, isWord, type QualifiedName, readName } from './qualified-name.ts';
import type { TrinoToken } from './sql-lexer.ts';

/** State of the scan between two parentheses, as far as names depend on it. */
interface Frame {
  /** True in a list of relations, where a relation follows a comma. */
  isRelationList: boolean;
  /** The next FROM belongs to the syntax of a function: `extract(day FROM x)`. */
  hasOwnFrom: boolean;
}

/** Trino's functions that have FROM in their own syntax. */
const OWN_FROM = ['EXTRACT', 'TRIM', 'SUBSTRING'];
/**
 * Words that end a list of relations. Trino reserves all of them. LIMIT, OFFSET, FETCH and WINDOW are not among them, because
 * each may be the alias of a table: `FROM t limit, secret.s.t`.
 */
const ENDS_LIST = ['SELECT', 'WHERE', 'HAVING', 'UNION', 'INTERSECT', 'EXCEPT', 'VALUES'];
const ENDS_LIST_WITH_BY = ['GROUP', 'ORDER'];

/**
 * Yields the names of relations and functions, whose first part may be a catalog: what follows FROM, JOIN, TABLE, a comma or a
 * parenthesis of a list of relations, and every name before a parenthesis. Trino's grammar has neither in another place; any
 * other name with dots is one of columns and their fields. Keywords count in every position, because Trino reserves them.
 */
export function* catalogNames(tokens: readonly TrinoToken[]): Generator<QualifiedName> {
  const frames: Frame[] = [{ isRelationList: false, hasOwnFrom: false }];
  let isRelationNext = false;
  for (let index = 0; index < tokens.length; ) {
    const name = readName(tokens, index);
    const next = name?.next ?? index + 1;
    if (name !== undefined && (isRelationNext || isMark(tokens[next], '('))) yield name;
    for (; index < next; index += 1) {
      const token = tokens[index] as TrinoToken;
      if (token.kind === 'word') isRelationNext = afterWord(tokens, index, frames);
      else isRelationNext = token.kind === 'mark' && afterMark(tokens, index, { frames, isRelationNext });
    }
  }
}

/** Follows a word, and returns whether a relation comes next. */
function afterWord(tokens: readonly TrinoToken[], index: number, frames: readonly Frame[]): boolean {
  const token = tokens[index];
  const frame = frames.at(-1) as Frame;
  if (isWord(token, 'JOIN', 'TABLE')) return true;
  if (isWord(token, 'FROM')) {
    const isOwn = frame.hasOwnFrom || isDistinctFrom(tokens, index);
    frame.hasOwnFrom = false;
    if (!isOwn) frame.isRelationList = true;
    return !isOwn;
  }
  if (isWord(token, ...ENDS_LIST) || (isWord(token, ...ENDS_LIST_WITH_BY) && isWord(tokens[index + 1], 'BY'))) {
    frame.isRelationList = false;
    frame.hasOwnFrom = false;
  }
  return false;
}

/** `a IS [NOT] DISTINCT FROM b`, where `b` is not a relation. */
function isDistinctFrom(tokens: readonly TrinoToken[], index: number): boolean {
  const before = isWord(tokens[index - 2], 'NOT') ? index - 3 : index - 2;
  return isWord(tokens[index - 1], 'DISTINCT') && isWord(tokens[before], 'IS');
}

interface Position {
  readonly frames: Frame[];
  readonly isRelationNext: boolean;
}

/** Follows parentheses and commas, and returns whether a relation comes next. */
function afterMark(tokens: readonly TrinoToken[], index: number, { frames, isRelationNext }: Position): boolean {
  const [before, token] = [tokens[index - 1], tokens[index]];
  if (isMark(token, '(')) {
    // Where a relation comes next, a parenthesis contains a query or relations.
    const isRelationList = isRelationNext || isWord(before, 'COPARTITION');
    frames.push({ isRelationList, hasOwnFrom: !isRelationList && isWord(before, ...OWN_FROM) });
    return isRelationList;
  }
  if (isMark(token, ')') && frames.length > 1) frames.pop();
  return isMark(token, ',') && (frames.at(-1) as Frame).isRelationList;
}
