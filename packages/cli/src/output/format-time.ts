const MINUTE_MS = 60_000;
const UNITS = [
  [24 * 60 * MINUTE_MS, 'd'],
  [60 * MINUTE_MS, 'h'],
  [MINUTE_MS, 'min'],
] as const;

/** Returns a duration in its largest whole unit: `3 d`, `5 h`, `12 min`, `0 min`. */
export function formatDuration(ms: number): string {
  const [unitMs, unit] = UNITS.find(([each]) => ms >= each) ?? UNITS[2];
  return `${Math.floor(ms / unitMs)} ${unit}`;
}

/** Returns a time in UTC with how far away it is: `2026-11-24 09:30 UTC (in 8 h)`. */
export function formatTime(epochMs: number, now: number): string {
  const text = `${new Date(epochMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return epochMs >= now
    ? `${text} (in ${formatDuration(epochMs - now)})`
    : `${text} (${formatDuration(now - epochMs)} ago)`;
}
