/** Returns epoch milliseconds as a UTC time to the second, `2026-01-31 08:30:00Z`. */
export const formatTime = (ms: number | null): string | null =>
  ms === null ? null : `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}Z`;

/** Returns epoch milliseconds in ISO 8601, for CSV. */
export const isoTime = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Returns a duration for people: `340 ms`, `1.2 s`, `12 min 3 s`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
