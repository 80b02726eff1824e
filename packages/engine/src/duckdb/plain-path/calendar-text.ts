const DAY_SECONDS = 86_400;

/** `2001-02-03`, with the years of ISO 8601 outside of 1 to 9999 (`-0043`, `0000`, `+12020`), of days since 1970-01-01. */
export function dayText(days: number): string {
  // Days since 0000-03-01 in eras of 400 years, so that the leap day is the last of a year (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${yearText(year)}-${two(month)}-${two(day)}`;
}

/** `04:05:06` of seconds since midnight; 86,400 is `24:00:00`. */
const clockText = (seconds: number): string =>
  `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;

/** `2001-02-03 04:05:06` and, where there are digits of a fraction, a point and all of them. */
export function momentText(ticks: bigint, digits: number): string {
  const { seconds, fraction } = splitTicks(ticks, digits);
  const days = Math.floor(seconds / DAY_SECONDS);
  return `${dayText(days)} ${clockText(seconds - days * DAY_SECONDS)}${fraction}`;
}

/** `04:05:06.000007` of ticks since midnight. */
export function timeOfDayText(ticks: bigint, digits: number): string {
  const { seconds, fraction } = splitTicks(ticks, digits);
  return `${clockText(seconds)}${fraction}`;
}

interface SplitTicks {
  /** Whole seconds, rounded down. */
  readonly seconds: number;
  readonly fraction: string;
}

function splitTicks(ticks: bigint, digits: number): SplitTicks {
  if (digits === 0) return { seconds: Number(ticks), fraction: '' };
  const perSecond = 10 ** digits;
  const rough = Number(ticks);
  if (Number.isSafeInteger(rough)) {
    const seconds = Math.floor(rough / perSecond);
    return { seconds, fraction: fractionText(rough - seconds * perSecond, digits) };
  }
  const divisor = BigInt(perSecond);
  const rest = ((ticks % divisor) + divisor) % divisor;
  return { seconds: Number((ticks - rest) / divisor), fraction: fractionText(Number(rest), digits) };
}

const fractionText = (ticks: number, digits: number): string => `.${String(ticks).padStart(digits, '0')}`;

const two = (value: number): string => (value < 10 ? `0${value}` : String(value));

function yearText(year: number): string {
  if (year > 9_999) return `+${year}`;
  return year < 0 ? `-${String(-year).padStart(4, '0')}` : String(year).padStart(4, '0');
}
