import { sqlLet, sqlString } from '../sql-text.ts';

/**
 * Days between which a cast is used. For years 1 to 9999 it writes the right text except for zeros at the end of a fraction; a cast and the
 * missing zeros are twice as fast as strftime (measured). Outside of these years a cast writes `44-03-15 (BC)`, which no other program
 * reads: there the year follows ISO 8601, as in Trino: astronomical (1 BC is 0000), with a sign before year 0 and after 9999.
 */
const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';

/** BETWEEN, because two comparisons joined by AND cost more than the cast that they guard (measured). */
const commonYear = (value: string, last: string): string => `${value} BETWEEN '${FIRST_DAY}' AND '${last}'`;

interface TextsByYear {
  /** The last value of the type in the year 9999. */
  readonly last: string;
  readonly common: string;
  readonly uncommon: string;
}

/** Combines the branches that the text of every date or timestamp has. Infinities are the words `infinity` and `-infinity`. */
const byYear = (value: string, { last, common, uncommon }: TextsByYear): string =>
  `CASE WHEN ${commonYear(value, last)} THEN ${common} WHEN isfinite(${value}) THEN ${uncommon} ELSE ${value}::VARCHAR END`;

/**
 * `-0043`, `0000`, `+12020`. Few functions: each function in an expression gets its own vector for every query, whether its
 * branch is taken or not, and for a small result that is most of the work (measured).
 */
const expandedYear = (value: string): string => `replace(printf('%+05d', year(${value})), '+0000', '0000')`;

export const dateText = (value: string): string =>
  byYear(value, {
    last: LAST_DAY,
    common: `${value}::VARCHAR`,
    uncommon: `concat(${expandedYear(value)}, strftime(${value}, '-%m-%d'))`,
  });

/** Precision of a type: the function that counts its ticks, their number in a second, and how strftime writes the fraction. */
interface Precision {
  readonly counter: 'epoch' | 'epoch_ms' | 'epoch_us' | 'epoch_ns';
  readonly digits: 0 | 3 | 6 | 9;
  readonly fraction: '' | '.%g' | '.%f';
}

export const SECONDS: Precision = { counter: 'epoch', digits: 0, fraction: '' };
export const MILLISECONDS: Precision = { counter: 'epoch_ms', digits: 3, fraction: '.%g' };
export const MICROSECONDS: Precision = { counter: 'epoch_us', digits: 6, fraction: '.%f' };
const NANOSECONDS = { counter: 'epoch_ns', digits: 9 } as const;

export const timestampText = (value: string, precision: Precision): string =>
  byYear(value, {
    last: lastOf(precision),
    common: withZeros(value, precision),
    uncommon: uncommonTimestamp(value, precision),
  });

const lastOf = ({ digits }: Precision): string => `${LAST_DAY} 23:59:59${digits === 0 ? '' : `.${'9'.repeat(digits)}`}`;

/** strftime with nanoseconds has another range of years, which ends in 2262. */
const uncommonTimestamp = (value: string, { fraction }: Precision): string =>
  `concat(${expandedYear(value)}, strftime(${value}::TIMESTAMP, '-%m-%d %H:%M:%S${fraction}'))`;

/** A timestamp of nanoseconds is between the years 1677 and 2262. */
export const nanosecondTimestampText = (value: string): string =>
  `CASE WHEN isfinite(${value}) THEN ${withZeros(value, NANOSECONDS)} ELSE ${value}::VARCHAR END`;

/**
 * Returns the instant in the session's zone with the offset at that time, which unlike the zone's name is never ambiguous in
 * autumn. In UTC, and always outside of the years 1 to 9999, the offset is `UTC`: casts and strftime use a double of
 * milliseconds, which is off by one in distant years, and slow (7 times slower than the arithmetic, measured).
 */
export function zonedTimestampText(value: string, timeZone: string): string {
  const utc = utcOf(value);
  const local = `strftime(${value}, '%Y-%m-%d %H:%M:%S.%f %z')`;
  return zonedByYear(
    value,
    isUtc(timeZone)
      ? `concat(${withZeros(utc, MICROSECONDS)}, ' UTC')`
      : sqlLet('t', local, `concat(t, CASE WHEN strlen(t) = ${LOCAL_BYTES} THEN ':00' END)`),
  );
}

const isUtc = (timeZone: string): boolean => timeZone.toUpperCase() === 'UTC';
const utcOf = (value: string): string => `make_timestamp(epoch_us(${value}))`;

/** One day less at both ends, so that the year is a common one in the session's zone too. */
const isCommonInstant = (value: string): string =>
  `${value} BETWEEN '0001-01-02 00:00:00+00' AND '9999-12-30 23:59:59.999999+00'`;

function zonedByYear(value: string, common: string): string {
  const uncommon = `concat(${timestampText(utcOf(value), MICROSECONDS)}, ' UTC')`;
  return `CASE WHEN ${isCommonInstant(value)} THEN ${common} WHEN isfinite(${value}) THEN ${uncommon} ELSE ${value}::VARCHAR END`;
}

/** Length of an instant whose offset has only hours, which strftime writes as `+02`. */
const LOCAL_BYTES = '2001-02-03 04:05:06.000000 +02'.length;

export const timeText = (value: string): string => withZeros(value, MICROSECONDS);
export const nanosecondTimeText = (value: string): string => withZeros(value, NANOSECONDS);

/** `HH:MM:SS.ffffff+HH:MM[:SS]`. */
export function zonedTimeText(value: string): string {
  const time = `regexp_extract(t, '^[0-9:.]+')`;
  const offset = `regexp_extract(t, '[+-].*$')`;
  const padded = `concat(${time}, ${missingZeros(value, MICROSECONDS)}, ${offset}, CASE WHEN length(${offset}) = 3 THEN ':00' END)`;
  return `CASE WHEN ${value} IS NULL THEN NULL ELSE ${sqlLet('t', `${value}::VARCHAR`, padded)} END`;
}

/** Returns a cast completed to all digits of the type; NULL for NULL. */
function withZeros(value: string, precision: Pick<Precision, 'counter' | 'digits'>): string {
  if (precision.digits === 0) return `${value}::VARCHAR`;
  return `${value}::VARCHAR || ${missingZeros(value, precision)}`;
}

/** Returns the zeros that a cast omits at the end of a fraction, and the point before them if there is no fraction at all. */
function missingZeros(value: string, { counter, digits }: Pick<Precision, 'counter' | 'digits'>): string {
  const ticks = `${counter}(${value})`;
  const none = `WHEN ${ticks} % ${10 ** digits} = 0 THEN ${sqlString(`.${'0'.repeat(digits)}`)}`;
  const some = Array.from({ length: digits - 1 }, (_, zeros) => {
    return `WHEN ${ticks} % ${10 ** (zeros + 1)} <> 0 THEN '${'0'.repeat(zeros)}'`;
  });
  return `CASE ${none} ${some.join(' ')} ELSE '${'0'.repeat(digits - 1)}' END`;
}
