/** Ends of access that an owner can choose. `date` is a date of the owner's own. */
export const EXPIRY_CHOICES = ['days-30', 'days-90', 'days-365', 'date', 'never'] as const;
export type ExpiryChoice = (typeof EXPIRY_CHOICES)[number];

const DAYS: Readonly<Record<Exclude<ExpiryChoice, 'date' | 'never'>, number>> = {
  'days-30': 30,
  'days-90': 90,
  'days-365': 365,
};

/** The last day before the year 10000, which the host accepts. */
const LAST_EXPIRY_DATE = '9999-12-30';

/** Returns a date in the time zone of the browser, as a date field has it: `2026-11-25`. */
export function dateText(epochMs: number): string {
  const date = new Date(epochMs);
  const pad = (value: number, length = 2): string => String(value).padStart(length, '0');
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/**
 * Returns when access ends, in epoch milliseconds: at the end of the day in the time zone of the browser. Null: never.
 * @param date - text of the date field, for the choice `date`
 * @returns undefined if the date is not one, or is over
 */
export function expiryOf(choice: ExpiryChoice, date: string, nowMs: number): number | null | undefined {
  if (choice === 'never') return null;
  const text = choice === 'date' ? date : dateText(addDays(nowMs, DAYS[choice]));
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text > LAST_EXPIRY_DATE) return undefined;
  const end = new Date(`${text}T23:59:59.999`);
  // Dates that do not exist, such as February 30, are another day or none.
  return Number.isNaN(end.getTime()) || dateText(end.getTime()) !== text || end.getTime() <= nowMs
    ? undefined
    : end.getTime();
}

/** Adds days of the calendar: one with a change of the clock has 23 or 25 hours. */
function addDays(epochMs: number, days: number): number {
  const date = new Date(epochMs);
  date.setDate(date.getDate() + days);
  return date.getTime();
}
