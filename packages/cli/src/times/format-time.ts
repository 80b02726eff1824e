/** Returns epoch milliseconds as a UTC time to the second, `2026-01-31 08:30:00Z`. */
export const formatTime = (ms: number | null): string | null =>
  ms === null ? null : `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}Z`;

/** Returns epoch milliseconds in ISO 8601, for CSV. */
export const isoTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

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
