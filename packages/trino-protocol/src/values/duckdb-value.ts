import { isMark, type TrinoToken } from '@sluice/engine';
import { StatementReader, textOfString } from '../statement/statement-reader.ts';
import { TrinoError } from '../trino-error.ts';
import { duckDbDate, duckDbTime, duckDbTimestamp, invalidLiteral, unsupported } from './duckdb-times.ts';
import { duckDbNullType } from './duckdb-types.ts';
import { type IntervalValue, readInterval } from './interval.ts';
import { readIntervalLiteral } from './interval-literal.ts';

const INTEGER = /^\d{1,19}$/;
const SIGNED_INTEGER = /^\s*([+-]?\d{1,20})\s*$/;
const DECIMAL = /^(?:\d+\.\d*|\.\d+)$/;
const DOUBLE = /^\d+(?:\.\d*)?[Ee][+-]?\d+$/;
const DOUBLE_TEXT = /^\s*[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[Ee][+-]?\d{1,4})?|Infinity|NaN)\s*$/;
const DECIMAL_TEXT = /^([+-]?)0*(\d*)(?:\.(\d*))?$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const PRECISION_MAX = 38;
const BIGINT_MAX = 2n ** 63n;
const NESTING_MAX = 16;
const DAY_MS = 86_400_000;

/** Integers that fit a type have at most this size. */
const INTEGER_BITS: Readonly<Record<string, bigint>> = {
  TINYINT: 7n,
  SMALLINT: 15n,
  INTEGER: 31n,
  INT: 31n,
  BIGINT: 63n,
};
const INTEGER_TYPES: Readonly<Record<string, string>> = { INT: 'INTEGER' };

/**
 * Returns the value of a parameter, which is a literal of Trino, as DuckDB writes the same value and type. It binds as tightly as one token, so it may
 * stand where the mark stood. Throws NOT_SUPPORTED, by name, for a literal whose meaning would not be certain, and INVALID_LITERAL.
 */
export function duckDbValue(text: string): string {
  const reader = new StatementReader(text);
  const value = readValue(reader, 0);
  if (!reader.isAtEnd) throw notCertain(text);
  return value;
}

function readValue(reader: StatementReader, depth: number): string {
  if (depth > NESTING_MAX) throw unsupported('that is nested so deeply', `write at most ${NESTING_MAX} levels`);
  const first = reader.peek();
  if (first?.kind === 'string') return `'${reader.string().replaceAll("'", "''")}'`;
  if (first?.kind === 'number') return numberValue(reader.token().text);
  if (isMark(first, '-') || isMark(first, '+')) return signedValue(reader);
  if (first?.kind !== 'word') throw notCertain(reader.sql);
  if (reader.peek(1)?.kind === 'string' && first.text !== 'INTERVAL') return typedValue(reader, first);
  return wordValue(reader, depth);
}

function signedValue(reader: StatementReader): string {
  const isNegative = reader.takeMark('-');
  if (!isNegative) reader.expectMark('+');
  if (reader.take('INFINITY')) return doubleOfCall(reader, isNegative ? '-Infinity' : 'Infinity');
  const number = reader.token();
  if (number.kind !== 'number') throw notCertain(reader.sql);
  const value = numberValue(number.text, isNegative);
  // DuckDB reads the digits alone, which do not fit a BIGINT.
  if (value === String(BIGINT_MAX)) return `CAST('-${value}' AS BIGINT)`;
  // A sign binds less tightly than what may follow the mark: -5::VARCHAR.
  return isNegative ? `(-${value})` : value;
}

/** Reads the parentheses of `infinity()` and `nan()`. */
function doubleOfCall(reader: StatementReader, text: string): string {
  reader.expectMark('(');
  reader.expectMark(')');
  return `CAST('${text}' AS DOUBLE)`;
}

function numberValue(text: string, isNegative = false): string {
  if (INTEGER.test(text) && BigInt(text) < BIGINT_MAX + (isNegative ? 1n : 0n)) return text;
  if (DECIMAL.test(text) && text.length <= PRECISION_MAX + 1) return text;
  if (DOUBLE.test(text) && Number.isFinite(Number(text))) return text;
  throw invalidLiteral('number', text);
}

/** Reads `TYPE 'text'`. */
function typedValue(reader: StatementReader, { text: type, end }: TrinoToken): string {
  reader.token();
  const string = reader.token();
  if (type === 'X' && string.start !== end) throw notCertain(reader.sql);
  const text = textOfString(string);
  if (type in INTEGER_BITS) return integerValue(type, text);
  switch (type) {
    case 'X':
      return binaryValue(text);
    case 'BOOLEAN':
      if (!/^\s*(?:true|false)\s*$/i.test(text)) throw invalidLiteral(type, text);
      return text.trim().toUpperCase();
    case 'REAL':
    case 'DOUBLE':
      if (!DOUBLE_TEXT.test(text)) throw invalidLiteral(type, text);
      return `CAST('${text.trim()}' AS ${type === 'REAL' ? 'FLOAT' : 'DOUBLE'})`;
    case 'DECIMAL':
      return decimalValue(text);
    case 'VARCHAR':
      return `CAST(${string.text} AS VARCHAR)`;
    case 'UUID':
      if (!UUID.test(text)) throw invalidLiteral(type, text);
      return `CAST('${text}' AS UUID)`;
    case 'DATE':
      return duckDbDate(text);
    case 'TIME':
      return duckDbTime(text);
    case 'TIMESTAMP':
      return duckDbTimestamp(text);
    default:
      throw notCertain(reader.sql);
  }
}

/** Reads a value that begins with a word and is not `TYPE 'text'`. */
function wordValue(reader: StatementReader, depth: number): string {
  for (const constant of ['TRUE', 'FALSE', 'NULL']) if (reader.take(constant)) return constant;
  if (reader.take('INTERVAL')) return intervalValue(readInterval(readIntervalLiteral(reader)));
  if (reader.take('INFINITY')) return doubleOfCall(reader, 'Infinity');
  if (reader.take('NAN')) return doubleOfCall(reader, 'NaN');
  if (reader.take('CAST')) return castOfNull(reader);
  if (reader.take('ARRAY')) return arrayValue(reader, depth);
  if (reader.take('MAP')) return mapValue(reader, depth);
  if (reader.take('DOUBLE', 'PRECISION')) return `CAST('${doubleText(reader.string())}' AS DOUBLE)`;
  throw notCertain(reader.sql);
}

function doubleText(text: string): string {
  if (!DOUBLE_TEXT.test(text)) throw invalidLiteral('DOUBLE', text);
  return text.trim();
}

function integerValue(type: string, text: string): string {
  const [, digits] = SIGNED_INTEGER.exec(text) ?? [];
  const value = digits === undefined ? undefined : BigInt(digits);
  const limit = 2n ** (INTEGER_BITS[type] ?? 0n);
  if (value === undefined || value >= limit || value < -limit) throw invalidLiteral(type, text);
  return `CAST('${value}' AS ${INTEGER_TYPES[type] ?? type})`;
}

/** DECIMAL '1.50' has the precision and scale of its digits; in DuckDB the type alone has scale 3. */
function decimalValue(text: string): string {
  const [, sign, whole = '', fraction = ''] = DECIMAL_TEXT.exec(text) ?? [];
  if (sign === undefined || !/\d/.test(text)) throw invalidLiteral('DECIMAL', text);
  const precision = Math.max(1, whole.length + fraction.length);
  if (precision > PRECISION_MAX) throw invalidLiteral('DECIMAL', text);
  const digits = `${sign === '-' ? '-' : ''}${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`;
  return `CAST('${digits}' AS DECIMAL(${precision},${fraction.length}))`;
}

/** X'00 ff': Trino ignores blanks between the digits. */
function binaryValue(text: string): string {
  const digits = text.replaceAll(/[ \r\n\t]/g, '');
  if (digits.length % 2 !== 0 || !/^[0-9A-Fa-f]*$/.test(digits)) throw invalidLiteral('VARBINARY', text);
  return `unhex('${digits}')`;
}

function intervalValue({ months, milliseconds }: IntervalValue): string {
  if (months !== 0) return `CAST('${months} months' AS INTERVAL)`;
  const days = Math.trunc(milliseconds / DAY_MS);
  return `CAST('${days} days ${milliseconds - days * DAY_MS} milliseconds' AS INTERVAL)`;
}

/** Drivers write a NULL of a type as `CAST(NULL AS VARCHAR)`. */
function castOfNull(reader: StatementReader): string {
  reader.expectMark('(');
  if (!reader.take('NULL')) throw notCertain(reader.sql);
  reader.expect('AS');
  const type = duckDbNullType(reader);
  reader.expectMark(')');
  return type === undefined ? 'NULL' : `CAST(NULL AS ${type})`;
}

function arrayValue(reader: StatementReader, depth: number): string {
  const items: string[] = [];
  reader.expectMark('[');
  while (!reader.takeMark(']')) {
    if (items.length > 0) reader.expectMark(',');
    items.push(readValue(reader, depth + 1));
  }
  return `[${items.join(', ')}]`;
}

function mapValue(reader: StatementReader, depth: number): string {
  reader.expectMark('(');
  reader.expect('ARRAY');
  const keys = arrayValue(reader, depth + 1);
  reader.expectMark(',');
  reader.expect('ARRAY');
  const values = arrayValue(reader, depth + 1);
  reader.expectMark(')');
  return `MAP(${keys}, ${values})`;
}

const SHOWN_CHARACTERS_MAX = 60;

const notCertain = (text: string): TrinoError =>
  new TrinoError(
    'NOT_SUPPORTED',
    `The parameter ${text.slice(0, SHOWN_CHARACTERS_MAX)} is not possible on DuckDB, because its meaning there is not certain. Write a literal of a number, string, boolean, binary, decimal, date, time, timestamp, interval, UUID, array or map.`,
  );
