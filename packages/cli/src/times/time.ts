import { UsageError } from '../errors.ts';

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
/** Earliest time that hosts accept. Sluice has no older record. */
const EARLIEST_MS = 100_000_000_000;
const AGO = /^(\d{1,9})([smhdw])$/;
/** A date, or a date and time with or without its zone. Without a zone it is UTC, as in the sessions of the engines. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** Accepted forms of a time option, for its `meaning`. */
export const TIME_FORMS = 'ago (`30m`, `24h`, `7d`, `2w`), a date or a UTC time (`2026-01-31`, `2026-01-31T08:30`)';

/**
 * Returns the epoch milliseconds of `7d` (that long ago) or `2026-01-31T08:30`, at the earliest 3 March 1973.
 * @param option - name of the option, for the message
 * @throws UsageError if the text has neither form, or is not a date
 */
export function parseTime(option: string, text: string, now: number = Date.now()): number {
  const [, amount, unit] = AGO.exec(text) ?? [];
  if (amount !== undefined)
    return Math.max(EARLIEST_MS, now - Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS]);
  const [all, zone] = TIMESTAMP.exec(text) ?? [];
  const hasTime = all !== undefined && all.length > 10;
  const time = all === undefined ? Number.NaN : Date.parse(hasTime && zone === undefined ? `${all}Z` : all);
  if (Number.isNaN(time) || time < 0)
    throw new UsageError(`${option} must be a time ${TIME_FORMS.replaceAll('`', '')}, not "${text}".`);
  return Math.max(EARLIEST_MS, time);
}

/** Returns epoch milliseconds in ISO 8601, for CSV. A number that is not a time stays a number. */
export function isoTime(ms: number | null): string | null {
  if (ms === null) return null;
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}

/** Returns epoch milliseconds as a UTC time to the second, `2026-01-31 08:30:00Z`. */
export const formatTime = (ms: number | null): string | null =>
  isoTime(ms)?.replace(/^(.*)T(.{8})\..*$/, '$1 $2Z') ?? null;

const DAYS_FROM_HOURS = 48;

/** Returns a duration for people: `340 ms`, `1.2 s`, `12 min 3 s`, `2 h 5 min`, `6 d 23 h`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const hours = Math.floor(seconds / 3600);
  if (hours >= DAYS_FROM_HOURS) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  return `${hours} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** Returns a time to come as a UTC time with how far away it is: `2026-01-31 08:30:00Z (in 2 h 5 min)`. */
export const formatFutureTime = (ms: number, now: number): string =>
  `${formatTime(ms)} ${ms > now ? `(in ${formatDuration(ms - now)})` : '(over)'}`;
