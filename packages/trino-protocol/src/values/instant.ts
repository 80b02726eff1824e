const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const OFFSET = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/**
 * Returns the offset in minutes of a local time in a zone; undefined where a clock change makes the time ambiguous or leaves it out, where the
 * offset has seconds, and for an unknown zone.
 * @param localMs - the local time, as if it were in UTC, in milliseconds since 1970
 */
export function offsetOfLocalTime(zone: string, localMs: number): number | undefined {
  const format = formatOf(zone);
  if (format === undefined) return undefined;
  // Clocks change less often than once in two days, so one of these offsets is that of the time.
  const candidates = [localMs - DAY_MS, localMs + DAY_MS].map((aboutMs) => offsetAt(format, aboutMs));
  const matching = new Set(
    candidates.filter(
      (minutes): minutes is number =>
        minutes !== undefined && offsetAt(format, localMs - minutes * MINUTE_MS) === minutes,
    ),
  );
  if (candidates.includes(undefined) || matching.size !== 1) return undefined;
  return [...matching][0];
}

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
}

function offsetAt(format: Intl.DateTimeFormat, ms: number): number | undefined {
  const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const parts = OFFSET.exec(name);
  if (parts === null) return undefined;
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = parts;
  if (Number(seconds) !== 0) return undefined;
  const total = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? -total : total;
}
