import type { ColumnKind } from './column-kind.ts';

/**
 * Returns the text of a value by which values of its kind are compared: `a < b` in the engine exactly if `sortKey(a) < sortKey(b)`
 * by UTF-16 code units. No value passes through a double, so neighbours that a double would round stay apart. Undefined for NULL.
 * @param json - JSON text of the value
 */
export function sortKey(kind: ColumnKind, json: string): string | undefined {
  if (json === 'null') return undefined;
  return KEYS[kind](unquote(json));
}

const KEYS: Readonly<Record<ColumnKind, (text: string) => string>> = {
  number: numberKey,
  boolean: (text) => (text === 'true' ? '1' : '0'),
  text: (text) => text,
  date: instantKey,
  timestamp: instantKey,
  timestampWithZone: instantKey,
  time: instantKey,
  timeWithZone: instantKey,
  interval: intervalKey,
  // Code units of the decoded text are the bytes.
  binary: (text) => decodeBase64(text),
  nested: (text) => text,
  other: (text) => text,
};

/** Returns the value of a JSON string, and any other JSON text as it is. */
export function unquote(json: string): string {
  if (json.charCodeAt(0) !== 0x22) return json;
  if (!json.includes('\\')) return json.slice(1, -1);
  try {
    return JSON.parse(json) as string;
  } catch {
    return json;
  }
}

function decodeBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return text;
  }
}

const NUMBER = /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
/** Keys of the values without digits. Keys of numbers begin with 0 (negative), 1 (zero) or 2 (positive). NaN is the largest, as in Trino. */
const WITHOUT_DIGITS: Readonly<Record<string, string>> = { '-Infinity': '/', Infinity: '3', NaN: '4' };
const EXPONENT_BIAS = 5_000_000_000;
const EXPONENT_DIGITS = 10;

/** Returns the digits with 9 for 0, 8 for 1 and so on, which reverses their order. */
function complement(digits: string): string {
  let result = '';
  for (let index = 0; index < digits.length; index += 1) result += 105 - digits.charCodeAt(index) - 48;
  return result;
}

/** Writes a number as sign, power of ten and digits: 0.123 × 10^5 sorts after 0.99 × 10^4. */
function numberKey(text: string): string {
  const special = Object.hasOwn(WITHOUT_DIGITS, text) ? WITHOUT_DIGITS[text] : undefined;
  const [all, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  // Not a number: behind all others, which no engine sends.
  if (special !== undefined || all === undefined) return special ?? `5${text}`;
  const digits = whole + fraction;
  const first = digits.search(/[1-9]/);
  if (first === -1) return '1';
  const power = String(EXPONENT_BIAS + whole.length - first + Number(exponent)).padStart(EXPONENT_DIGITS, '0');
  const significant = digits.slice(first).replace(/0+$/, '');
  // `~` is larger than any digit: of two negative numbers, the one with fewer digits is larger.
  return sign === '-' ? `0${complement(power)}${complement(significant)}~` : `2${power}${significant}`;
}

const INTERVAL =
  /^P(?:(-?\d+)Y)?(?:(-?\d+)M)?(?:(-?\d+)D)?(?:T(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?)(\d+)(?:\.(\d+))?S)?)?$/;
const [SECOND, MINUTE, HOUR, DAY, MONTH] = [1n, 60n, 3600n, 86_400n, 2_592_000n].map(
  (seconds) => seconds * 10n ** 9n,
) as [bigint, bigint, bigint, bigint, bigint];

/** Compares as DuckDB and PostgreSQL do: a month has 30 days, a day 24 hours. Trino does not mix months and days. */
function intervalKey(text: string): string {
  const [all, years, months, days, hours, minutes, sign, seconds = '0', fraction = ''] = INTERVAL.exec(text) ?? [];
  if (all === undefined) return `5${text}`;
  const part = (value: string | undefined, unit: bigint) => BigInt(value ?? 0) * unit;
  const nanoseconds = BigInt(seconds) * SECOND + BigInt(fraction.padEnd(9, '0').slice(0, 9));
  const total =
    part(years, MONTH * 12n) +
    part(months, MONTH) +
    part(days, DAY) +
    part(hours, HOUR) +
    part(minutes, MINUTE) +
    (sign === '-' ? -nanoseconds : nanoseconds);
  return numberKey(String(total));
}

const INSTANT =
  /^(?:([+-]?\d+)-(\d\d)-(\d\d))?[ T]?(?:(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?\s*(?:([+-])(\d\d):?(\d\d)(?::?(\d\d))?|(Z|[A-Za-z][A-Za-z0-9_+\-/]*))?$/;
const KEY_DIGITS = 15;
/** Makes every second positive: Trino's first year is -5,877,641. */
const SECONDS_BIAS = 400_000_000_000_000;

/**
 * Returns the text by which dates, times and timestamps are compared. Those with an offset or zone compare as instants, so that
 * `02:30 +02:00` sorts before `01:30 +00:00`.
 */
function instantKey(text: string): string {
  if (text === '-infinity') return '-';
  if (text === 'infinity') return '~';
  const [all, year, month, day, hour, minute, second, fraction = '', sign, hours, minutes, seconds, zone] =
    INSTANT.exec(text) ?? [];
  // Not a time: behind all others, which no engine sends.
  if (all === undefined) return `}${text}`;
  const local =
    (year === undefined ? 0 : daysOf(Number(year), Number(month), Number(day)) * 86_400) +
    Number(hour ?? 0) * 3600 +
    Number(minute ?? 0) * 60 +
    Number(second ?? 0);
  const offset =
    sign === undefined
      ? zoneOffset(zone, local)
      : (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0));
  return String(local - offset + SECONDS_BIAS).padStart(KEY_DIGITS, '0') + fraction.replace(/0+$/, '');
}

/** Days since 1970-01-01 of a date in the proleptic Gregorian calendar (year 0 is 1 BC), by counting 400-year eras from March. */
function daysOf(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return (
    era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  );
}

const formats = new Map<string, Intl.DateTimeFormat | undefined>();
/** Offsets by zone and hour, because a formatter takes microseconds. */
const offsets = new Map<string, number>();
const OFFSETS_MAX = 100_000;

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  if (!formats.has(zone)) formats.set(zone, createFormat(zone));
  return formats.get(zone);
}

function createFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    // A zone that this browser does not know compares as UTC.
    return undefined;
  }
}

/** Seconds by which a zone is ahead of UTC at an instant. */
function offsetAt(format: Intl.DateTimeFormat, seconds: number): number {
  const name = format.formatToParts(seconds * 1000).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0', rest = '0'] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(rest));
}

/** Seconds by which a zone is ahead of UTC at a local time. The earlier instant of an hour that is repeated in autumn. */
function zoneOffset(zone: string | undefined, local: number): number {
  if (zone === undefined || zone === 'UTC' || zone === 'Z') return 0;
  const key = `${zone} ${Math.floor(local / 900)}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const format = formatOf(zone);
  // Outside of this range Date is not defined.
  if (format === undefined || Math.abs(local) > 8.64e12 - 86_400) return 0;
  const before = offsetAt(format, local - 86_400);
  const offset =
    offsetAt(format, local - before) === before ? before : offsetAt(format, local - offsetAt(format, local + 86_400));
  if (offsets.size >= OFFSETS_MAX) offsets.clear();
  offsets.set(key, offset);
  return offset;
}
