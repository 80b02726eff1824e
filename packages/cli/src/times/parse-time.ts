import { UsageError } from '../errors.ts';

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const AGO = /^(\d{1,9})([smhdw])$/;
/** A date, or a date and time with or without its zone. Without a zone it is UTC, as in the sessions of the engines. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** Accepted forms of a time option, for its `meaning`. */
export const TIME_FORMS = 'ago (`30m`, `24h`, `7d`, `2w`), a date or a UTC time (`2026-01-31`, `2026-01-31T08:30`)';

/**
 * Returns the epoch milliseconds of `7d` (that long ago) or `2026-01-31T08:30`.
 * @param option - name of the option, for the message
 * @throws UsageError if the text has neither form, or is not a date
 */
export function parseTime(option: string, text: string, now: number = Date.now()): number {
  const [, amount, unit] = AGO.exec(text) ?? [];
  if (amount !== undefined) return Math.max(0, now - Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS]);
  const [all, zone] = TIMESTAMP.exec(text) ?? [];
  const hasTime = all !== undefined && all.length > 10;
  const time = all === undefined ? Number.NaN : Date.parse(hasTime && zone === undefined ? `${all}Z` : all);
  if (Number.isNaN(time) || time < 0)
    throw new UsageError(`${option} must be a time ${TIME_FORMS.replaceAll('`', '')}, not "${text}".`);
  return time;
}
