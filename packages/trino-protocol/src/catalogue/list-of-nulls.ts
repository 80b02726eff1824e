import { isMark, isWord, type Token } from './tokens.ts';

/**
 * Returns whether a statement is `SELECT CAST(NULL AS type) name, ... WHERE false`. It has columns, no rows, and reads nothing. The JDBC driver asks
 * so for the keys of a table, which Trino does not have.
 */
export function isListOfNulls(tokens: readonly Token[]): boolean {
  if (!isWord(tokens[0], 'SELECT')) return false;
  let index = 1;
  for (;;) {
    if (!isNamedNull(tokens, index)) return false;
    index += NAMED_NULL_TOKENS;
    if (!isMark(tokens[index], ',')) break;
    index += 1;
  }
  return isWord(tokens[index], 'WHERE') && isWord(tokens[index + 1], 'FALSE') && tokens.length === index + 2;
}

/** CAST ( NULL AS type ) name */
const NAMED_NULL_TOKENS = 7;

function isNamedNull(tokens: readonly Token[], index: number): boolean {
  const [cast, open, value, as, type, close, name] = tokens.slice(index, index + NAMED_NULL_TOKENS);
  const isNull = isWord(cast, 'CAST') && isMark(open, '(') && isWord(value, 'NULL') && isWord(as, 'AS');
  return isNull && type?.kind === 'word' && isMark(close, ')') && name?.kind === 'word' && name.text !== 'WHERE';
}
