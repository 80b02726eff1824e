import { timeZoneNamed } from '@sluice/contract';
import { TrinoError } from '../trino-error.ts';

const OFFSET = /^(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d{2}))?$/i;
const OTHER_NAMES_OF_UTC: ReadonlySet<string> = new Set(['z', 'ut', 'etc/utc', 'etc/gmt', 'etc/uct', 'etc/zulu']);
/** Trino's offsets (TimeZoneKey) end at 14 hours. */
const OFFSET_MINUTES_MAX = 14 * 60;
const MINUTES_PER_HOUR = 60;
const SHOWN_CHARACTERS_MAX = 64;

/**
 * Returns a time zone as engines take it: an IANA name as written, `UTC` for each of its names, or an offset `+05:30`. Undefined for anything
 * else.
 */
export function findTimeZone(text: string): string | undefined {
  if (OTHER_NAMES_OF_UTC.has(text.toLowerCase())) return 'UTC';
  const offset = OFFSET.exec(text);
  if (offset === null) return timeZoneNamed(text);
  const [, sign, hours, minutes = '0'] = offset;
  const total = Number(hours) * MINUTES_PER_HOUR + Number(minutes);
  if (Number(minutes) >= MINUTES_PER_HOUR || total > OFFSET_MINUTES_MAX) return undefined;
  return offsetZone(sign === '-' ? -total : total);
}

/** Returns the same. Throws INVALID_SESSION_PROPERTY instead of returning undefined. */
export function readTimeZone(text: string): string {
  const zone = findTimeZone(text);
  if (zone !== undefined) return zone;
  throw new TrinoError(
    'INVALID_SESSION_PROPERTY',
    `Time zone not supported: ${text.slice(0, SHOWN_CHARACTERS_MAX)}. Send a name of the IANA database, such as Europe/Berlin, or an offset such as +05:30.`,
  );
}

/** Returns the zone of an offset in minutes. Throws INVALID_SESSION_PROPERTY for one of more than 14 hours. */
export function offsetZone(minutes: number): string {
  if (minutes === 0) return 'UTC';
  const size = Math.abs(minutes);
  if (size > OFFSET_MINUTES_MAX)
    throw new TrinoError('INVALID_SESSION_PROPERTY', 'The offset of a time zone must be at most 14 hours.');
  const digits = (value: number): string => String(value).padStart(2, '0');
  const sign = minutes < 0 ? '-' : '+';
  return `${sign}${digits(Math.floor(size / MINUTES_PER_HOUR))}:${digits(size % MINUTES_PER_HOUR)}`;
}
