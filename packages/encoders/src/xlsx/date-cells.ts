import { DATE_CELL, DATE_MARK, DATE_TIME_CELL, TEXT_CELL, TIME_CELL } from './cell-xml.ts';
import type { RowsChunk } from './rows-chunk.ts';
import { EPOCH_SERIAL, FIRST_SERIAL_DAY, LAST_SERIAL_DAY } from './sheet-limits.ts';
import { instantOf, localTime } from './zone-offset.ts';

const DAY_MS = 86_400_000;
const FIRST_MS = Date.parse(FIRST_SERIAL_DAY);
const END_MS = Date.parse(LAST_SERIAL_DAY) + DAY_MS;
/** The mark follows these characters of the cell, by which rows are numbered later. */
const CELL = '<c';
const OPEN = DATE_MARK.open.charCodeAt(CELL.length);
const CLOSE = DATE_MARK.close.charCodeAt(0);
const DATE = /^(\d{4}-\d\d-\d\d)(?: (.+))?$/;
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?: (.+))?$/;
/** A marked text is shorter than this; it may be in two pieces of a large row. */
const MARKED_BYTES_MAX = 256;

/** Date cells that differ from the values of a result. */
export interface DateCellCounts {
  /** Values whose fraction of a second was rounded to milliseconds. */
  rounded: number;
  /** Values that a date cell cannot hold, which are text. */
  text: number;
}

/**
 * Turns the dates and times that an engine marked into date cells with milliseconds, rounded half up. Values with a time zone become
 * local times of `timeZone`. A value that a date cell cannot hold becomes its exact text: outside March 1900 to the year 9999, a time of
 * 24:00, and an hour that its zone has twice.
 */
export async function* writeDateCells(
  chunks: AsyncIterable<RowsChunk>,
  timeZone: string,
  counts: DateCellCounts,
): AsyncGenerator<RowsChunk> {
  let begun: Buffer = Buffer.alloc(0);
  for await (const { rows, bytes } of chunks) {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const source = begun.length === 0 ? piece : Buffer.concat([begun, piece]);
    const end = endOfWholeCells(source);
    begun = Buffer.from(source.subarray(end));
    yield { rows, bytes: dateCells(source.subarray(0, end), timeZone, counts) };
  }
}

/** Returns the index of a marked text that continues in the next piece, or the length. */
function endOfWholeCells(bytes: Buffer): number {
  const from = Math.max(0, bytes.length - MARKED_BYTES_MAX);
  const open = bytes.lastIndexOf(OPEN);
  return open >= from && bytes.indexOf(CLOSE, open) === -1 ? open : bytes.length;
}

function dateCells(source: Buffer, timeZone: string, counts: DateCellCounts): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (let open = source.indexOf(OPEN); open !== -1; open = source.indexOf(OPEN, at)) {
    const close = source.indexOf(CLOSE, open);
    const text = source.toString('latin1', open + 1, close);
    parts.push(source.subarray(at, open), Buffer.from(dateCell(text, timeZone, counts).slice(CELL.length), 'latin1'));
    at = close + 1;
  }
  if (at === 0) return source;
  parts.push(source.subarray(at));
  return Buffer.concat(parts);
}

function dateCell(text: string, timeZone: string, counts: DateCellCounts): string {
  const cell = serialCell(text, timeZone);
  if (cell === undefined) {
    counts.text += 1;
    return `${TEXT_CELL.open}${text}${TEXT_CELL.close}`;
  }
  if (cell.isRounded) counts.rounded += 1;
  return cell.xml;
}

interface SerialCell {
  readonly xml: string;
  readonly isRounded: boolean;
}

/** `text` is one of docs/values.md: a date, a time, or both with one space between, and a space before the zone. */
function serialCell(text: string, timeZone: string): SerialCell | undefined {
  const [isDated, date = '', timeText] = DATE.exec(text) ?? [];
  const time = readTime(isDated === undefined ? text : timeText);
  if (isDated === undefined) {
    if (time === undefined || time.milliseconds >= DAY_MS) return undefined;
    return { xml: enclosed(TIME_CELL, time.milliseconds / DAY_MS), isRounded: time.isRounded };
  }
  const day = Date.parse(date);
  if (timeText === undefined)
    return inRange(day) ? { xml: enclosed(DATE_CELL, serial(day)), isRounded: false } : undefined;
  if (time === undefined) return undefined;
  const local = localIn(timeZone, day + time.milliseconds, time.zone);
  if (local === undefined || !inRange(local)) return undefined;
  return { xml: enclosed(DATE_TIME_CELL, serial(local)), isRounded: time.isRounded };
}

interface TimeOfDay {
  /** Time since midnight; a day if the last fraction of a day was rounded up. */
  readonly milliseconds: number;
  readonly isRounded: boolean;
  readonly zone: string | undefined;
}

function readTime(text: string | undefined): TimeOfDay | undefined {
  const [isTime, hours, minutes, seconds, fraction = '', zone] = TIME.exec(text ?? '') ?? [];
  if (isTime === undefined) return undefined;
  const whole = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  const rest = fraction.slice(3);
  const milliseconds = whole + Number(fraction.slice(0, 3).padEnd(3, '0')) + (rest >= '5' ? 1 : 0);
  return { milliseconds, isRounded: /[1-9]/.test(rest), zone };
}

/** Returns the local time in `timeZone` of a local time in `zone`, or undefined if that zone has it twice or never. */
function localIn(timeZone: string, milliseconds: number, zone: string | undefined): number | undefined {
  if (zone === undefined || zone.toUpperCase() === timeZone.toUpperCase()) return milliseconds;
  if (milliseconds < FIRST_MS - DAY_MS || milliseconds > END_MS + DAY_MS) return undefined;
  const instant = instantOf(milliseconds, zone);
  return instant === undefined ? undefined : localTime(instant, timeZone);
}

const inRange = (milliseconds: number): boolean => milliseconds >= FIRST_MS && milliseconds < END_MS;
const serial = (milliseconds: number): number => milliseconds / DAY_MS + EPOCH_SERIAL;
const enclosed = ({ open, close }: { readonly open: string; readonly close: string }, value: number): string =>
  `${open}${value}${close}`;
