import { dollarMark, type ParameterMark } from '../../parameter-mark.ts';
import { lexSql } from '../../statement-lexer.ts';

/** Characters that continue a parameter after its dollar sign. DuckDB reads a quoted name too. */
const CONTINUES = /^[A-Za-z0-9_"\u0080-\uffff]/;

/**
 * Finds the parameters of DuckDB's SQL. The guard compares them with those that DuckDB's parser finds, so a difference between the two
 * lexers is a rejection, never another value.
 */
export function duckDbParameterMarks(sql: string): ParameterMark[] {
  const marks: ParameterMark[] = [];
  let dollar: number | undefined;
  for (const { text, start, end } of lexSql(sql)) {
    if (dollar === start - 1 && CONTINUES.test(text)) marks.push(dollarMark(sql, dollar, endOfDigits(sql, end, text)));
    if (text === '?') marks.push({ name: undefined, start, end });
    dollar = text === '$' ? start : undefined;
  }
  return marks;
}

/** The lexer reads each digit as a token of its own. */
function endOfDigits(sql: string, end: number, text: string): number {
  if (!/^\d/.test(text)) return end;
  const [digits = ''] = /^\d*/.exec(sql.slice(end, end + 20)) ?? [];
  return end + digits.length;
}
