import { sqlLet, sqlString } from './sql-text.ts';

/**
 * What a cast writes is right for years 1 to 9999 but for the zeros at the end of a fraction; a cast and the missing zeros are
 * twice as fast as strftime (measured). Outside of these years a cast writes `44-03-15 (BC)`, which no other program reads:
 * there the year is ISO 8601's, as Trino writes it: astronomical (1 BC is 0000), with a sign before year 0 and after 9999.
 */
const FIRST_DAY = "'0001-01-01'";
const AFTER_LAST_DAY = "'10000-01-01'";

const commonYear = (value: string): string => `${value} >= ${FIRST_DAY} AND ${value} < ${AFTER_LAST_DAY}`;

/** Every text of ours for a date or timestamp has these branches. Infinities are the words `infinity` and `-infinity`. */
const byYear = (value: string, common: string, uncommon: string): string =>
  `CASE WHEN ${commonYear(value)} THEN ${common} WHEN isfinite(${value}) THEN ${uncommon} ELSE ${value}::VARCHAR END`;

/**
 * `-0043`, `0000`, `+12020`. Few functions: each one in an expression has a vector of its own made for every query, whether its
 * branch is taken or not, and for a small result that is most of the work (measured).
 */
const expandedYear = (value: string): string => `replace(printf('%+05d', year(${value})), '+0000', '0000')`;

export const dateText = (value: string): string =>
  byYear(value, `${value}::VARCHAR`, `concat(${expandedYear(value)}, strftime(${value}, '-%m-%d'))`);

/** How precise a type is: the function that counts its ticks, their number in a second, and how strftime writes the fraction. */
export interface Precision {
  readonly counter: 'epoch' | 'epoch_ms' | 'epoch_us' | 'epoch_ns';
  readonly digits: 0 | 3 | 6 | 9;
  readonly fraction: '' | '.%g' | '.%f';
}

export const SECONDS: Precision = { counter: 'epoch', digits: 0, fraction: '' };
export const MILLISECONDS: Precision = { counter: 'epoch_ms', digits: 3, fraction: '.%g' };
export const MICROSECONDS: Precision = { counter: 'epoch_us', digits: 6, fraction: '.%f' };

export function timestampText(value: string, precision: Precision): string {
  // strftime takes other precisions for nanoseconds, which end in the year 2262.
  const clock = `strftime(${value}::TIMESTAMP, '-%m-%d %H:%M:%S${precision.fraction}')`;
  return byYear(value, withZeros(value, precision), `concat(${expandedYear(value)}, ${clock})`);
}

/** A timestamp of nanoseconds lies between the years 1677 and 2262. */
export const nanosecondTimestampText = (value: string): string =>
  `CASE WHEN isfinite(${value}) THEN ${withZeros(value, { counter: 'epoch_ns', digits: 9 })} ELSE ${value}::VARCHAR END`;

/**
 * The instant in the session's zone and the offset there, which unlike the zone's name is never ambiguous in autumn. In UTC, and
 * outside of the years 1 to 9999 always, it is `UTC`: casts and strftime go through a double of milliseconds, which is off by
 * one far from now, and slow (7 times slower than the arithmetic, measured).
 */
export function zonedTimestampText(value: string, timeZone: string): string {
  const utc = `make_timestamp(epoch_us(${value}))`;
  const uncommon = `concat(${timestampText(utc, MICROSECONDS)}, ' UTC')`;
  const local = `strftime(${value}, '%Y-%m-%d %H:%M:%S.%f %z')`;
  const common =
    timeZone.toUpperCase() === 'UTC'
      ? `concat(${withZeros(utc, MICROSECONDS)}, ' UTC')`
      : sqlLet('t', local, `concat(t, CASE WHEN strlen(t) = ${LOCAL_BYTES} THEN ':00' END)`);
  // A day less at both ends, so that the year is a common one in the session's zone too.
  const isCommon = `${value} >= '0001-01-02 00:00:00+00' AND ${value} < '9999-12-31 00:00:00+00'`;
  return `CASE WHEN ${isCommon} THEN ${common} WHEN isfinite(${value}) THEN ${uncommon} ELSE ${value}::VARCHAR END`;
}

/** Of an instant whose offset has hours only, which strftime writes as `+02`. */
const LOCAL_BYTES = '2001-02-03 04:05:06.000000 +02'.length;

export const timeText = (value: string): string => withZeros(value, MICROSECONDS);
export const nanosecondTimeText = (value: string): string => withZeros(value, { counter: 'epoch_ns', digits: 9 });

/** `HH:MM:SS.ffffff+HH:MM[:SS]`. */
export function zonedTimeText(value: string): string {
  const time = `regexp_extract(t, '^[0-9:.]+')`;
  const offset = `regexp_extract(t, '[+-].*$')`;
  const padded = `concat(${time}, ${missingZeros(value, MICROSECONDS)}, ${offset}, CASE WHEN length(${offset}) = 3 THEN ':00' END)`;
  return `CASE WHEN ${value} IS NULL THEN NULL ELSE ${sqlLet('t', `${value}::VARCHAR`, padded)} END`;
}

/** A cast, completed to all digits of the type; NULL is NULL. */
function withZeros(value: string, precision: Pick<Precision, 'counter' | 'digits'>): string {
  if (precision.digits === 0) return `${value}::VARCHAR`;
  return `${value}::VARCHAR || ${missingZeros(value, precision)}`;
}

/** The zeros that a cast leaves out at the end of a fraction, and the point before them where there is no fraction at all. */
function missingZeros(value: string, { counter, digits }: Pick<Precision, 'counter' | 'digits'>): string {
  const ticks = `${counter}(${value})`;
  const none = `WHEN ${ticks} % ${10 ** digits} = 0 THEN ${sqlString(`.${'0'.repeat(digits)}`)}`;
  const some = Array.from({ length: digits - 1 }, (_, zeros) => {
    return `WHEN ${ticks} % ${10 ** (zeros + 1)} <> 0 THEN '${'0'.repeat(zeros)}'`;
  });
  return `CASE ${none} ${some.join(' ')} ELSE '${'0'.repeat(digits - 1)}' END`;
}
