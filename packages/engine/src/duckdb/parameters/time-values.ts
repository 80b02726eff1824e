const DAY_MS = 86_400_000;
const MINUTES_PER_HOUR = 60;
const SECONDS_PER_MINUTE = 60;

/** Returns the days of a date `YYYY-MM-DD` since 1970-01-01. */
export function daysOf(date: string): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day); // Date.UTC reads the years 0 to 99 as 1900 to 1999
  return midnight.getTime() / DAY_MS;
}

/** Returns the time since midnight of `HH:MM:SS[.f]`, in units of 10^-digits seconds. */
export function timeOf(time: string, digits: number): bigint {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const [seconds = '0', fraction = ''] = (time.split(':')[2] ?? '').split('.');
  const whole = (hours * MINUTES_PER_HOUR + minutes) * SECONDS_PER_MINUTE + Number(seconds);
  return BigInt(whole) * 10n ** BigInt(digits) + BigInt(fraction.padEnd(digits, '0').slice(0, digits) || '0');
}

/** Returns the time since 1970 of `YYYY-MM-DD HH:MM:SS[.f]`, with `UTC` or an offset after it or none, in units of 10^-digits seconds. */
export function instantOf(timestamp: string, digits: number): bigint {
  const [date = '', time = '', zone = 'UTC'] = timestamp.split(' ');
  const unit = 10n ** BigInt(digits);
  const offset = zone === 'UTC' ? 0n : timeOf(zone.slice(1), digits) * (zone.startsWith('-') ? -1n : 1n);
  return BigInt(daysOf(date)) * BigInt(DAY_MS / 1_000) * unit + timeOf(time, digits) - offset;
}
