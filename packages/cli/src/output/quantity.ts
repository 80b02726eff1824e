/** Writes a count with separators: `1,234,567`. */
export const formatCount = (count: number): string => count.toLocaleString('en-US');

/** Writes `1 row`, `2 rows`. */
export const formatRows = (count: number): string => `${formatCount(count)} ${count === 1 ? 'row' : 'rows'}`;

const UNITS = ['kB', 'MB', 'GB', 'TB'];

/** Writes a number of bytes in decimal units, as disks and networks are sold: `210 kB`, `1.25 GB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  let value = bytes;
  let unit = -1;
  do {
    value /= 1000;
    unit += 1;
  } while (value >= 999.5 && unit < UNITS.length - 1);
  return `${value >= 99.95 ? Math.round(value) : value.toPrecision(3)} ${UNITS[unit]}`;
}

/** Writes a duration as a clock does: `0:05`, `12:34`, `1:02:03`. */
export function formatClock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = String(seconds % 60).padStart(2, '0');
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${String(minutes).padStart(2, '0')}:${tail}`;
}
