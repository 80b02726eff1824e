import { findTimeZone, offsetZone } from '../session/time-zone.ts';
import { TrinoError } from '../trino-error.ts';
import { offsetOfLocalTime } from './instant.ts';

const DATE = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*$/;
const TIME = /^\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?\s*$/;
const TIMESTAMP =
  /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?: (\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?)?\s*([A-Za-z+-][\w/:+-]*)?\s*$/;
const MICROSECOND_DIGITS = 6;
const NANOSECOND_DIGITS = 9;
/** Whole years of DuckDB's TIMESTAMP_NS. */
const NANOSECOND_YEARS = { min: 1678, max: 2261 };

/** Returns DuckDB's form of a DATE literal. Throws INVALID_LITERAL for another form than `YYYY-MM-DD`. */
export function duckDbDate(text: string): string {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) throw invalidLiteral('DATE', text);
  checkDate('DATE', text, [year, month, day]);
  return `CAST('${year}-${two(month)}-${two(day)}' AS DATE)`;
}

/** Returns DuckDB's form of a TIME literal. Throws NOT_SUPPORTED for a zone and for more than microseconds. */
export function duckDbTime(text: string): string {
  const [, hour, minute, second = '00', fraction = ''] = TIME.exec(text) ?? [];
  if (hour === undefined) {
    if (/[+-]\d{1,2}:?\d{0,2}\s*$/.test(text))
      throw unsupported('TIME with a zone', 'DuckDB compares such values in another way than Trino');
    throw invalidLiteral('TIME', text);
  }
  const digits = significant(fraction);
  if (digits.length > MICROSECOND_DIGITS) throw tooPrecise('TIME');
  return `CAST('${two(hour)}:${two(minute)}:${two(second)}${fractionOf(digits)}' AS TIME)`;
}

/** Returns DuckDB's form of a TIMESTAMP literal, which has a time zone or none. Throws NOT_SUPPORTED where DuckDB has no such value. */
export function duckDbTimestamp(text: string): string {
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone] =
    TIMESTAMP.exec(text) ?? [];
  if (year === undefined) throw invalidLiteral('TIMESTAMP', text);
  checkDate('TIMESTAMP', text, [year, month, day]);
  const digits = significant(fraction);
  const local = `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;
  const value = `${local}${fractionOf(digits)}`;
  if (zone !== undefined) {
    if (digits.length > MICROSECOND_DIGITS) throw tooPrecise('TIMESTAMP with a zone');
    return `CAST('${value}${offsetText(zone, local, text)}' AS TIMESTAMP WITH TIME ZONE)`;
  }
  if (digits.length <= MICROSECOND_DIGITS) return `CAST('${value}' AS TIMESTAMP)`;
  const years = Number(year);
  const fits = years >= NANOSECOND_YEARS.min && years <= NANOSECOND_YEARS.max;
  if (!fits || digits.length > NANOSECOND_DIGITS) throw tooPrecise('TIMESTAMP');
  return `CAST('${value}' AS TIMESTAMP_NS)`;
}

/** Returns the offset of a zone at a local time, as DuckDB reads it: `+05:30`. */
function offsetText(zone: string, local: string, text: string): string {
  const name = findTimeZone(zone);
  if (name === undefined) throw invalidLiteral('TIMESTAMP', text);
  if (name === 'UTC') return '+00:00';
  if (/^[+-]/.test(name)) return name;
  const minutes = offsetOfLocalTime(name, Date.parse(`${local.replace(' ', 'T')}Z`));
  if (minutes === undefined)
    throw unsupported(`TIMESTAMP '${text}'`, `the clocks of ${name} change at this time; write its offset instead`);
  return minutes === 0 ? '+00:00' : offsetZone(minutes);
}

function checkDate(type: string, text: string, parts: readonly (string | undefined)[]): void {
  const [year = 0, month = 0, day = 0] = parts.map(Number);
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day); // Date.UTC reads the years 0 to 99 as 1900 to 1999
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) throw invalidLiteral(type, text);
}

const two = (digits = '0'): string => digits.padStart(2, '0');
const significant = (fraction: string): string => fraction.replace(/0+$/, '');
const fractionOf = (digits: string): string => (digits === '' ? '' : `.${digits}`);

const tooPrecise = (type: string): TrinoError => unsupported(`${type} of this precision`, 'DuckDB would round it');

/** Returns INVALID_LITERAL for the text of a typed literal. */
export const invalidLiteral = (type: string, text: string): TrinoError =>
  new TrinoError('INVALID_LITERAL', `'${text}' is not a valid ${type} literal.`);

/** Returns NOT_SUPPORTED for a parameter whose meaning would change. */
export const unsupported = (what: string, why: string): TrinoError =>
  new TrinoError('NOT_SUPPORTED', `A parameter ${what} is not possible on DuckDB: ${why}.`);
