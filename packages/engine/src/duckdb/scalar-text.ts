import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api';

/** SQL that gives the text of a value, or NULL, and whether that text can need quotes or escapes. */
export interface ScalarText {
  readonly sql: string;
  /** `number`: a JSON number as it stands. `plain`: letters, digits and `:+-. ` only. `free`: anything. */
  readonly alphabet: 'number' | 'plain' | 'free';
}

const FIRST_DAY = "'0001-01-01'";
const AFTER_LAST_DAY = "'10000-01-01'";

/** The exact text of a scalar, as docs/values.md lists it per type. `session` is the time zone the values are shown in. */
export function scalarText(type: DuckDBType, value: string, timeZone: string): ScalarText {
  switch (type.typeId) {
    case DuckDBTypeId.BOOLEAN:
    case DuckDBTypeId.TINYINT:
    case DuckDBTypeId.SMALLINT:
    case DuckDBTypeId.INTEGER:
    case DuckDBTypeId.BIGINT:
    case DuckDBTypeId.HUGEINT:
    case DuckDBTypeId.UTINYINT:
    case DuckDBTypeId.USMALLINT:
    case DuckDBTypeId.UINTEGER:
    case DuckDBTypeId.UBIGINT:
    case DuckDBTypeId.UHUGEINT:
    case DuckDBTypeId.BIGNUM:
    case DuckDBTypeId.DECIMAL:
      return { sql: `${value}::VARCHAR`, alphabet: 'number' };
    case DuckDBTypeId.UUID:
      return { sql: `${value}::VARCHAR`, alphabet: 'plain' };
    case DuckDBTypeId.BLOB:
      return { sql: `to_base64(${value})`, alphabet: 'plain' };
    case DuckDBTypeId.DATE:
      return { sql: dateText(value), alphabet: 'plain' };
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_NS:
      return { sql: timestampText(value, TIMESTAMP_FORMATS[type.typeId]), alphabet: 'plain' };
    case DuckDBTypeId.TIMESTAMP_TZ:
      return { sql: zonedTimestampText(value, timeZone), alphabet: 'plain' };
    case DuckDBTypeId.TIME:
      return { sql: timeText(`${value}::VARCHAR`, 6), alphabet: 'plain' };
    case DuckDBTypeId.TIME_NS:
      return { sql: timeText(`${value}::VARCHAR`, 9), alphabet: 'plain' };
    case DuckDBTypeId.TIME_TZ:
      return { sql: zonedTimeText(value), alphabet: 'plain' };
    case DuckDBTypeId.INTERVAL:
      return { sql: intervalText(value), alphabet: 'plain' };
    default:
      return { sql: `${value}::VARCHAR`, alphabet: 'free' };
  }
}

/**
 * How strftime writes the fraction of each timestamp type, and the same as literal zeros. Most timestamps in most tables have no
 * fraction, and a cast with zeros behind it is twice as fast as strftime (measured), so that case comes first.
 */
const TIMESTAMP_FORMATS = {
  [DuckDBTypeId.TIMESTAMP_S]: { fraction: '', zeros: '', ticks: 1 },
  [DuckDBTypeId.TIMESTAMP_MS]: { fraction: '.%g', zeros: '.000', ticks: 1_000 },
  [DuckDBTypeId.TIMESTAMP]: { fraction: '.%f', zeros: '.000000', ticks: 1_000_000 },
  [DuckDBTypeId.TIMESTAMP_NS]: { fraction: '.%n', zeros: '.000000000', ticks: 1_000_000_000 },
} as const;
type TimestampFormat = (typeof TIMESTAMP_FORMATS)[keyof typeof TIMESTAMP_FORMATS];

/** Years before 1 are ISO 8601's astronomical ones (1 BC is 0000), as Trino writes them; infinities are words. */
function dateText(value: string): string {
  return `CASE WHEN ${value} >= ${FIRST_DAY} AND ${value} < ${AFTER_LAST_DAY} THEN ${value}::VARCHAR WHEN isfinite(${value}) THEN concat(${yearText(value)}, strftime(${value}, '-%m-%d')) ELSE ${value}::VARCHAR END`;
}

function timestampText(value: string, format: TimestampFormat): string {
  const counter = { 1: 'epoch', 1000: 'epoch_ms', 1000000: 'epoch_us', 1000000000: 'epoch_ns' }[format.ticks];
  const inRange = `${value} >= ${FIRST_DAY} AND ${value} < ${AFTER_LAST_DAY}`;
  const whole =
    format.ticks === 1
      ? `WHEN ${inRange} THEN ${value}::VARCHAR`
      : `WHEN ${inRange} AND ${counter}(${value}) % ${format.ticks} = 0 THEN concat(${value}::VARCHAR, '${format.zeros}')`;
  return `CASE WHEN ${value} IS NULL THEN NULL ${whole} WHEN isfinite(${value}) THEN concat(${yearText(value)}, strftime(${value}, '-%m-%d %H:%M:%S${format.fraction}')) ELSE ${value}::VARCHAR END`;
}

/** Four digits at least, and a sign before year 0. */
function yearText(value: string): string {
  const digits = `abs(year(${value}))::VARCHAR`;
  return `concat(CASE WHEN year(${value}) < 0 THEN '-' END, repeat('0', 4 - length(${digits})), ${digits})`;
}

/** The instant in the session's zone, then `UTC`, or the offset, which unlike the zone's name is never ambiguous in autumn. */
function zonedTimestampText(value: string, timeZone: string): string {
  const format = TIMESTAMP_FORMATS[DuckDBTypeId.TIMESTAMP];
  const local = `timezone(${`'${timeZone}'`}, ${value})`;
  if (timeZone === 'UTC') return nullOr(value, `concat(${timestampText(local, format)}, ' UTC')`);
  const offset = `strftime(${value}, '%z')`;
  return nullOr(
    value,
    `concat(${timestampText(local, format)}, ' ', ${offset}, CASE WHEN length(${offset}) = 3 THEN ':00' END)`,
  );
}

/** Pads what a cast leaves out: `12:00:00` becomes `12:00:00.000000`. */
function timeText(text: string, digits: number): string {
  const withPoint = `concat(${text}, CASE WHEN length(${text}) = 8 THEN '.' END)`;
  return nullOr(text, `rpad(${withPoint}, ${9 + digits}, '0')`);
}

/** `HH:MM:SS.ffffff+HH:MM[:SS]`. */
function zonedTimeText(value: string): string {
  const text = `${value}::VARCHAR`;
  const time = `regexp_extract(${text}, '^[0-9:.]+')`;
  const offset = `regexp_extract(${text}, '[+-].*$')`;
  return nullOr(value, `concat(${timeText(time, 6)}, ${offset}, CASE WHEN length(${offset}) = 3 THEN ':00' END)`);
}

/** ISO 8601 section 5.5.2, each field with its own sign: `P1Y2M3DT4H5M6.789S`, `PT0S` for nothing. */
function intervalText(value: string): string {
  const field = (part: string, letter: string): string =>
    `CASE WHEN datepart('${part}', ${value}) <> 0 THEN concat(datepart('${part}', ${value}), '${letter}') END`;
  const micros = `datepart('microsecond', ${value})`;
  const fraction = `CASE WHEN ${micros} % 1000000 <> 0 THEN concat('.', rtrim(lpad((abs(${micros}) % 1000000)::VARCHAR, 6, '0'), '0')) END`;
  const seconds = `CASE WHEN ${micros} <> 0 THEN concat(CASE WHEN ${micros} < 0 THEN '-' END, abs(${micros}) // 1000000, ${fraction}, 'S') END`;
  const date = `concat(${field('year', 'Y')}, ${field('month', 'M')}, ${field('day', 'D')})`;
  const time = `concat(${field('hour', 'H')}, ${field('minute', 'M')}, ${seconds})`;
  return nullOr(
    value,
    `CASE WHEN concat(${date}, ${time}) = '' THEN 'PT0S' ELSE concat('P', ${date}, CASE WHEN ${time} <> '' THEN 'T' END, ${time}) END`,
  );
}

const nullOr = (value: string, sql: string): string => `CASE WHEN ${value} IS NULL THEN NULL ELSE ${sql} END`;
