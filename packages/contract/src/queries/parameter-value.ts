import { isWithinBits, type ScalarType } from './parameter-type.ts';

/** A string that is written canonically, or the reason why it is not a value of the type. */
type Reading = { readonly value: string } | { readonly message: string };

const INTEGER = /^[+-]?\d{1,40}$/;
/** An integer of 64 bits as it is written, without a BigInt: a list may have 10,000. */
const CANONICAL = /^(?:0|-?[1-9]\d{0,17})$/;
const DECIMAL = /^([+-]?)(\d{0,100})(?:\.(\d{0,100}))?$/;
const DOUBLE = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,6})?$/i;
const SPECIAL_DOUBLES: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity']);
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?$/;
const ZONE = /^(?:Z|UTC|([+-])(\d{2}):(\d{2}))$/i;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const TIME_FRACTION_DIGITS_MAX = 6;
/** Nanoseconds since 1970 in 64 bits end in April 2262. */
const NANOSECOND_YEARS = { first: 1678, last: 2261 } as const;
const MICROSECOND_DIGITS = 6;
/** Largest offset of a time zone in Trino, in hours. */
const OFFSET_HOURS_MAX = 14;

/**
 * Reads the text of a value of a type and returns it in one canonical form: integers without leading zeros, decimals and timestamps
 * with all digits of their type, dates as `YYYY-MM-DD`, times as `HH:MM:SS[.f]`, instants with `UTC` or an offset.
 */
export function readParameterText(type: ScalarType, text: string): Reading {
  switch (type.name) {
    case 'unknown':
    case 'varchar':
      return { value: text };
    case 'boolean':
      return /^(?:true|false)$/i.test(text) ? { value: text.toLowerCase() } : { message: 'must be true or false' };
    case 'integer':
      return readInteger(text, 32);
    case 'bigint':
      return readInteger(text, 64);
    case 'double':
      return readDouble(text);
    case 'decimal':
      return readDecimal(text, type);
    case 'date':
      return isDate(text) ? { value: text } : { message: 'must be a date as YYYY-MM-DD, from year 0001 to 9999' };
    case 'time':
      return readTime(text);
    case 'timestamp':
    case 'timestamp with time zone':
      return readTimestamp(text, type);
    case 'uuid':
      return UUID.test(text) ? { value: text.toLowerCase() } : { message: 'must be a UUID' };
  }
}

function readInteger(text: string, bits: 32 | 64): Reading {
  if (bits === 64 && CANONICAL.test(text)) return { value: text };
  const fits = INTEGER.test(text) && isWithinBits(text.replace('+', ''), bits);
  if (fits) return { value: BigInt(text.replace('+', '')).toString() };
  return { message: `must be an integer of ${bits} bits` };
}

function readDouble(text: string): Reading {
  if (SPECIAL_DOUBLES.has(text)) return { value: text };
  if (!DOUBLE.test(text)) return { message: 'must be a number, NaN, Infinity or -Infinity' };
  if (!Number.isFinite(Number(text))) return { message: 'must be within the range of a double' };
  return { value: Object.is(Number(text), -0) ? '-0' : String(Number(text)) };
}

function readDecimal(text: string, { precision, scale }: ScalarType & { name: 'decimal' }): Reading {
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  const digits = whole.replace(/^0+/, '');
  const isNumber = sign !== undefined && whole.length + fraction.length > 0;
  if (!isNumber || digits.length > precision - scale || fraction.length > scale) {
    const places = `${precision - scale} digits before the point and ${scale} after it`;
    return { message: `must be a decimal number with at most ${places}` };
  }
  const unsigned = `${digits === '' ? '0' : digits}${scale === 0 ? '' : `.${fraction.padEnd(scale, '0')}`}`;
  return { value: sign === '-' && /[1-9]/.test(unsigned) ? `-${unsigned}` : unsigned };
}

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined || year < 1) return false;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function readTime(text: string): Reading {
  const found = timeOf(text);
  if (found === undefined || found.fraction.length > TIME_FRACTION_DIGITS_MAX)
    return { message: 'must be a time as HH:MM:SS, with at most 6 digits of a fraction' };
  return { value: found.fraction === '' ? found.seconds : `${found.seconds}.${found.fraction}` };
}

function timeOf(text: string): { readonly seconds: string; readonly fraction: string } | undefined {
  const [, hour = '', minute = '', second = '00', fraction = ''] = TIME.exec(text) ?? [];
  if (hour === '' || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  return { seconds: `${hour}:${minute}:${second}`, fraction };
}

type TimestampType = ScalarType & { name: 'timestamp' | 'timestamp with time zone' };

function readTimestamp(text: string, { name, precision }: TimestampType): Reading {
  const zoned = name === 'timestamp with time zone';
  const at = zoned ? text.search(/ ?(?:Z|UTC|[+-]\d{2}:\d{2})$/i) : text.length;
  const local = text.slice(0, at === -1 ? 0 : at);
  const [date = '', time = '00:00:00', ...rest] = local.split(/[ T]/);
  const found = timeOf(time);
  const zone = zoned ? zoneOf(text.slice(at).trim()) : '';
  if (
    rest.length > 0 ||
    !isDate(date) ||
    found === undefined ||
    zone === undefined ||
    found.fraction.length > precision
  )
    return { message: timestampMessage(precision, zoned) };
  const year = Number(date.slice(0, 4));
  if (precision > MICROSECOND_DIGITS && (year < NANOSECOND_YEARS.first || year > NANOSECOND_YEARS.last))
    return { message: `must be from ${NANOSECOND_YEARS.first} to ${NANOSECOND_YEARS.last} with nanoseconds` };
  const fraction = precision === 0 ? '' : `.${found.fraction.padEnd(precision, '0')}`;
  return { value: `${date} ${found.seconds}${fraction}${zone === '' ? '' : ` ${zone}`}` };
}

const timestampMessage = (precision: number, zoned: boolean): string =>
  `must be a timestamp as YYYY-MM-DD HH:MM:SS with at most ${precision} digits of a fraction${
    zoned ? ', and then UTC or an offset such as +02:00' : ' and no time zone'
  }`;

/** Returns `UTC` or an offset, or undefined if there is no such zone. A name of a place has two offsets in one hour of each year. */
function zoneOf(text: string): string | undefined {
  const [zone, sign, hours = '', minutes = ''] = ZONE.exec(text) ?? [];
  if (zone === undefined) return undefined;
  if (sign === undefined) return 'UTC';
  const isOffset = Number(minutes) < 60 && Number(hours) * 60 + Number(minutes) <= OFFSET_HOURS_MAX * 60;
  return isOffset ? `${sign}${hours}:${minutes}` : undefined;
}
