import { dollarMark, type ParameterMark } from '../../parameter-mark.ts';
import { isMark, isWord } from '../guard/qualified-name.ts';
import { lexTrinoSql, type TrinoToken } from '../guard/sql-lexer.ts';

/** Finds the parameters of Trino's SQL. In a row pattern, `PATTERN (A? B $)`, both marks have another meaning. */
export function trinoParameterMarks(sql: string): ParameterMark[] {
  const marks: ParameterMark[] = [];
  let previous: TrinoToken | undefined;
  let patternDepth = 0;
  for (const token of lexTrinoSql(sql)) {
    if (isMark(token, '(') && (patternDepth > 0 || isWord(previous, 'PATTERN'))) patternDepth += 1;
    else if (isMark(token, ')') && patternDepth > 0) patternDepth -= 1;
    else if (patternDepth === 0) addMark(marks, sql, previous, token);
    previous = token;
  }
  return marks;
}

function addMark(marks: ParameterMark[], sql: string, previous: TrinoToken | undefined, token: TrinoToken): void {
  const { kind, start, end } = token;
  if (isMark(token, '?')) marks.push({ name: undefined, start, end });
  const continues = kind === 'word' || kind === 'number' || kind === 'name';
  if (continues && isMark(previous, '$') && previous?.end === start) marks.push(dollarMark(sql, previous.start, end));
}
