const INSTANT =
  /^(?:([+-]?\d+)-(\d\d)-(\d\d))?[ T]?(?:(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?\s*(?:([+-])(\d\d):?(\d\d)(?::?(\d\d))?|(Z|[A-Za-z][A-Za-z0-9_+\-/]*))?$/;
const KEY_DIGITS = 15;
/** Makes every second positive: Trino's first year is -5,877,641. */
const SECONDS_BIAS = 400_000_000_000_000;

/**
 * Returns the text by which dates, times and timestamps are compared. Those with an offset or zone compare as instants, so that
 * `02:30 +02:00` sorts before `01:30 +00:00`.
 */
export function instantKey(text: string): string {
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
