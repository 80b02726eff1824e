import { isMark, isWord, type Token } from './tokens.ts';

/**
 * Returns the names of the columns of a SELECT as it spells them, where each is a name or has one; undefined for others. Trino shows the names
 * of columns in the spelling of the statement, DuckDB in that of the table. Empty if the statement selects `*`.
 */
export function columnSpellings(sql: string, tokens: readonly Token[]): readonly (string | undefined)[] {
  if (!isWord(tokens[0], 'SELECT')) return [];
  const begin = isWord(tokens[1], 'ALL', 'DISTINCT') ? 2 : 1;
  const spellings: (string | undefined)[] = [];
  let depth = 0;
  let last: Token | undefined;
  for (let index = begin; index < tokens.length; index += 1) {
    const token = tokens[index];
    const isOutside = depth === 0;
    if (isOutside && isWord(token, 'FROM')) break;
    if (isOutside && isMark(token, '*') && (last === undefined || isMark(last, '.'))) return [];
    if (isMark(token, '(') || isMark(token, '[')) depth += 1;
    if (isMark(token, ')') || isMark(token, ']')) depth -= 1;
    if (isOutside && isMark(token, ',')) {
      spellings.push(spellingOf(sql, last));
      last = undefined;
    } else last = token;
  }
  return [...spellings, spellingOf(sql, last)];
}

function spellingOf(sql: string, token: Token | undefined): string | undefined {
  if (token?.kind === 'word') return sql.slice(token.start, token.end);
  return token?.kind === 'quoted name' ? token.text : undefined;
}

/** Returns the names of the columns of an answer, in the spelling of the statement. */
export const spelledColumns = <T extends { readonly name: string }>(
  columns: readonly T[],
  spellings: readonly (string | undefined)[],
): readonly T[] =>
  columns.map((column, index) => {
    const spelling = spellings.length === columns.length ? spellings[index] : undefined;
    const isSame = spelling?.toLowerCase() === column.name.toLowerCase();
    return isSame && spelling !== undefined ? { ...column, name: spelling } : column;
  });
