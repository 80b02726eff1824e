import { isMark, isWord, type TrinoToken } from '@sluice/engine';
import type { StatementReader } from '../statement/statement-reader.ts';
import { TrinoError } from '../trino-error.ts';

/** A value of EXECUTE ... USING. */
export interface GivenValue {
  /** Text as written, from its first to its last token, so that no comment after it comes along. */
  readonly text: string;
  readonly tokens: readonly TrinoToken[];
}

const OPENS = '([{';
const CLOSES = ')]}';

/** Reads the values after USING, up to the end of the statement. Throws SYNTAX_ERROR for brackets that do not match. */
export function readValues(reader: StatementReader): readonly GivenValue[] {
  const values: GivenValue[] = [];
  do values.push(readValue(reader));
  while (reader.takeMark(','));
  reader.end();
  return values;
}

function readValue(reader: StatementReader): GivenValue {
  const tokens: TrinoToken[] = [];
  const open: string[] = [];
  while (!reader.isAtEnd && (open.length > 0 || !isMark(reader.peek(), ','))) {
    const next = reader.peek();
    if (isMark(next, '?'))
      throw new TrinoError('INVALID_PARAMETER_USAGE', 'A value of EXECUTE must not be a parameter.');
    if (isMark(next, ';')) throw reader.unexpected();
    if (next?.kind === 'mark' && OPENS.includes(next.text)) open.push(next.text);
    if (next?.kind === 'mark' && CLOSES.includes(next.text)) {
      const isMatch = OPENS.indexOf(open.pop() ?? ' ') === CLOSES.indexOf(next.text);
      if (!isMatch) throw reader.unexpected();
    }
    tokens.push(reader.token());
  }
  const [first] = tokens;
  const last = tokens.at(-1);
  if (first === undefined || last === undefined || open.length > 0) throw reader.unexpected();
  return { text: reader.sql.slice(first.start, last.end), tokens };
}

const INTEGER_TYPES = ['TINYINT', 'SMALLINT', 'INTEGER', 'INT', 'BIGINT'];
const DIGITS = /^\d{1,19}$/;

/** Returns the digits of a value that is a whole number from 0 on; undefined for any other. */
export function digitsOf({ tokens }: GivenValue): string | undefined {
  const [first, second] = tokens;
  const text =
    tokens.length === 1 && first?.kind === 'number'
      ? first.text
      : tokens.length === 2 && isWord(first, ...INTEGER_TYPES) && second?.kind === 'string'
        ? second.text.slice(1, -1).trim()
        : '';
  return DIGITS.test(text) ? text : undefined;
}

/** Returns a value of Trino unchanged where it binds as tightly as one token, else in parentheses. */
export function trinoValue({ text, tokens }: GivenValue): string {
  const last = tokens.at(-1);
  const words = tokens.slice(0, -1).every(({ kind }) => kind === 'word');
  const isOne = tokens.length === 1 || (last?.kind === 'string' && words);
  return isOne ? text : `(${text})`;
}
