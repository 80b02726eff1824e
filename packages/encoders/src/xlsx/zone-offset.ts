const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OFFSET = /^([+-])(\d\d):(\d\d)(?::(\d\d))?$/;
/** Days whose offset is remembered; a column of more days is rare. */
const DAYS_MAX = 100_000;

/**
 * Returns the local time of an instant, both in milliseconds since 1970, for the years 1900 to 9999. Throws `RangeError` for a zone that Node.js does not know.
 */
export const localTime = (instant: number, zone: string): number => instant + offsetAt(instant, zone);

/**
 * Returns the instant of a local time in a zone: `UTC`, an offset such as `+05:30`, or a name of the IANA database. Undefined for a time
 * that the zone has twice (in autumn) or never (in spring), and for an unknown zone.
 */
export function instantOf(local: number, zone: string): number | undefined {
  const fixed = fixedOffset(zone);
  if (fixed !== undefined) return local - fixed;
  try {
    const instants = [...new Set([offsetAt(local - DAY_MS, zone), offsetAt(local + DAY_MS, zone)])]
      .map((offset) => local - offset)
      .filter((instant) => localTime(instant, zone) === local);
    return instants.length === 1 ? instants[0] : undefined;
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

function fixedOffset(zone: string): number | undefined {
  if (zone.toUpperCase() === 'UTC') return 0;
  const [isOffset, sign, hours, minutes, seconds = '0'] = OFFSET.exec(zone) ?? [];
  if (isOffset === undefined) return undefined;
  return (sign === '-' ? -1000 : 1000) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** Offset by day since 1970 in UTC; NaN for a day on which it changes. */
  readonly offsets: Map<number, number>;
}

const zones = new Map<string, Zone>();

/** Computes the offset of a day once, because `Intl.DateTimeFormat` takes microseconds for each instant. */
function offsetAt(instant: number, zone: string): number {
  const fixed = fixedOffset(zone);
  if (fixed !== undefined) return fixed;
  const { format, offsets } = zoneOf(zone);
  const day = Math.floor(instant / DAY_MS);
  let offset = offsets.get(day);
  if (offset === undefined) {
    const [first, last] = [computeOffset(day * DAY_MS, format), computeOffset((day + 1) * DAY_MS, format)];
    offset = first === last ? first : Number.NaN;
    if (offsets.size >= DAYS_MAX) offsets.clear();
    offsets.set(day, offset);
  }
  return Number.isNaN(offset) ? computeOffset(instant, format) : offset;
}

function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en', {
    timeZone: name,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const zone = { format, offsets: new Map<number, number>() };
  zones.set(name, zone);
  return zone;
}

function computeOffset(instant: number, format: Intl.DateTimeFormat): number {
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute, second } = parts;
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  return local - Math.floor(instant / 1000) * 1000;
}
