const two = (value: number): string => String(value).padStart(2, '0');

/** Returns a time in the time zone of the browser as an `<input type="datetime-local">` has it; empty for undefined. */
export function localTimeText(epochMs: number | undefined): string {
  if (epochMs === undefined) return '';
  const time = new Date(epochMs);
  if (Number.isNaN(time.getTime())) return '';
  const date = `${String(time.getFullYear()).padStart(4, '0')}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

const LOCAL_TIME = /^\d{4,6}-\d\d-\d\dT\d\d:\d\d/;

/** Earliest time that hosts accept. */
const EARLIEST_MS = 100_000_000_000;

/** Returns the epoch milliseconds of the text of such a field; undefined if it is empty, incomplete or before March 1973. */
export function timeOfLocalText(text: string): number | undefined {
  const time = LOCAL_TIME.test(text) ? new Date(text).getTime() : Number.NaN;
  return Number.isNaN(time) || time < EARLIEST_MS ? undefined : time;
}
