/**
 * Cells of a worksheet: a number, date or boolean if a spreadsheet stores it without loss, otherwise its exact text. Each function
 * writes at `out` and returns the address after the cell.
 */
import { writeI64 } from './digits';
import { writeDouble } from './doubles';
import { ENTRY_DATA, ENTRY_MARKUP, ENTRY_POWER, ENTRY_RULE, ENTRY_SCALE, INLINE_BYTES_MAX, Kind, TEXT_ADDRESS, textAt } from './entry';
import { copyBytes } from './strings';
import { SCRATCH } from './tables';
import { writeValue } from './values';
import { writeXmlText } from './xml-text';

/** Condition on which a value is written as what its column is, and not as text. */
export enum Rule {
  Always,
  /** Whole numbers of at most 2^53. */
  Integer,
  /** Decimals of at most 15 significant digits. */
  Digits,
  /** Numbers that are not NaN or infinite. */
  Finite,
  /** Days, and whole milliseconds, from March 1900 to the year 9999. */
  Serial,
}

/** The markup of a column: slots of a u32 with the length, and the bytes. */
export const MARKUP_SLOT_BYTES: usize = 64;
const OPEN: usize = 0;
const CLOSE: usize = 64;
const TEXT_OPEN: usize = 128;
const TEXT_CLOSE: usize = 192;
const EMPTY: usize = 256;
const LONG_OPEN: usize = 320;
const LONG_CLOSE: usize = 384;
export const MARKUP_BYTES: usize = 448;

/** Longer strings get marks, for the writer of the sheet: characters of a cell, which are never more than bytes. */
const CELL_BYTES_MAX: u32 = 32_767;
const EXACT_INTEGER_MAX: u64 = 1 << 53;
const EXACT_DIGITS_MAX: i32 = 15;

/** 1900-03-01 and 9999-12-31 as days since 1970-01-01. */
const FIRST_DAY: i64 = -25_508;
const LAST_DAY: i64 = 2_932_896;
/** Serial number of 1970-01-01. */
const EPOCH_SERIAL: i64 = 25_569;
const DAY_MILLISECONDS: i64 = 86_400_000;

@inline function writeMarkup(entry: usize, slot: usize, out: usize): usize {
  const at = load<usize>(entry, ENTRY_MARKUP) + slot;
  const length = load<u32>(at);
  copyBytes(out, at + 4, length);
  return out + length;
}

export function writeSheetNull(entry: usize, out: usize): usize {
  return writeMarkup(entry, EMPTY, out);
}

export function writeSheetCell(entry: usize, kind: i32, row: u32, out: usize): usize {
  if (kind == Kind.None) return out;
  if (kind == Kind.Text || kind == Kind.Raw) {
    const text = textAt(entry, row);
    const length = load<u32>(text);
    const from = length > INLINE_BYTES_MAX ? load<usize>(text, TEXT_ADDRESS) : text + 4;
    if (kind == Kind.Text) return writeTextCell(entry, from, length, out);
    copyBytes(out, from, length);
    return out + length;
  }
  switch (<i32>load<u8>(entry, ENTRY_RULE)) {
    case Rule.Serial:
      return writeSerial(entry, kind, row, out);
    case Rule.Digits:
      return writeDigits(entry, kind, row, out);
    case Rule.Finite:
      return enclosed(entry, kind, row, out, isFiniteAt(entry, kind, row));
    case Rule.Integer:
      return enclosed(entry, kind, row, out, isExactAt(entry, kind, row));
    default:
      return enclosed(entry, kind, row, out, true);
  }
}

function writeTextCell(entry: usize, from: usize, length: u32, out: usize): usize {
  out = writeMarkup(entry, OPEN, out);
  const isLong = length > CELL_BYTES_MAX;
  if (isLong) out = writeMarkup(entry, LONG_OPEN, out);
  out = writeXmlText(out, from, length);
  if (isLong) out = writeMarkup(entry, LONG_CLOSE, out);
  return writeMarkup(entry, CLOSE, out);
}

function enclosed(entry: usize, kind: i32, row: u32, out: usize, isExact: bool): usize {
  out = writeMarkup(entry, isExact ? OPEN : TEXT_OPEN, out);
  if (kind == Kind.Boolean) store<u8>(out++, 48 + u8(load<u8>(load<usize>(entry, ENTRY_DATA) + row) != 0));
  else out = writeValue(entry, kind, row, out, false);
  return writeMarkup(entry, isExact ? CLOSE : TEXT_CLOSE, out);
}

function isFiniteAt(entry: usize, kind: i32, row: u32): bool {
  const data = load<usize>(entry, ENTRY_DATA);
  return isFinite<f64>(kind == Kind.Float ? <f64>load<f32>(data + (<usize>row << 2)) : load<f64>(data + (<usize>row << 3)));
}

function isExactAt(entry: usize, kind: i32, row: u32): bool {
  const data = load<usize>(entry, ENTRY_DATA);
  if (kind == Kind.UInt64) return load<u64>(data + (<usize>row << 3)) <= EXACT_INTEGER_MAX;
  if (kind == Kind.Int64 || kind == Kind.Decimal64) {
    const value = load<i64>(data + (<usize>row << 3));
    return (value < 0 ? <u64>-value : <u64>value) <= EXACT_INTEGER_MAX;
  }
  const low = load<u64>(data + (<usize>row << 4));
  const high = load<u64>(data + (<usize>row << 4), 8);
  if (high == 0) return low <= EXACT_INTEGER_MAX;
  return kind == Kind.Int128 && high == u64.MAX_VALUE && low != 0 && 0 - low <= EXACT_INTEGER_MAX;
}

/** Counts the digits of the text, without zeros at its start and after the last digit of the fraction. */
function writeDigits(entry: usize, kind: i32, row: u32, out: usize): usize {
  const end = writeValue(entry, kind, row, SCRATCH, false);
  const isExact = hasExactDigits(SCRATCH, end, load<u8>(entry, ENTRY_SCALE) != 0);
  out = writeMarkup(entry, isExact ? OPEN : TEXT_OPEN, out);
  copyBytes(out, SCRATCH, <u32>(end - SCRATCH));
  return writeMarkup(entry, isExact ? CLOSE : TEXT_CLOSE, out + (end - SCRATCH));
}

function hasExactDigits(from: usize, end: usize, hasFraction: bool): bool {
  if (<i32>(end - from) <= EXACT_DIGITS_MAX) return true;
  if (hasFraction) while (load<u8>(end - 1) == 48) end--;
  let digits: i32 = 0;
  for (; from < end; from++) {
    const byte = load<u8>(from);
    if (byte > 48 || (byte == 48 && digits > 0)) digits++;
  }
  return digits <= EXACT_DIGITS_MAX;
}

function writeSerial(entry: usize, kind: i32, row: u32, out: usize): usize {
  const data = load<usize>(entry, ENTRY_DATA);
  if (kind == Kind.Date) {
    const day = <i64>load<i32>(data + (<usize>row << 2));
    if (day < FIRST_DAY || day > LAST_DAY) return enclosed(entry, kind, row, out, false);
    return writeMarkup(entry, CLOSE, writeI64(writeMarkup(entry, OPEN, out), day + EPOCH_SERIAL));
  }
  const ticks = load<i64>(data + (<usize>row << 3));
  const power = kind == Kind.Microseconds ? 1_000_000 : load<i64>(entry, ENTRY_POWER);
  let milliseconds = ticks;
  if (power == 1) {
    if (ticks < FIRST_DAY * 86_400 || ticks >= (LAST_DAY + 1) * 86_400) return enclosed(entry, kind, row, out, false);
    milliseconds = ticks * 1_000;
  } else if (power > 1_000) {
    const perMillisecond = power / 1_000;
    milliseconds = ticks / perMillisecond;
    if (milliseconds * perMillisecond != ticks) return enclosed(entry, kind, row, out, false);
  }
  if (milliseconds < FIRST_DAY * DAY_MILLISECONDS || milliseconds >= (LAST_DAY + 1) * DAY_MILLISECONDS)
    return enclosed(entry, kind, row, out, false);
  const serial = <f64>milliseconds / 86_400_000.0 + <f64>EPOCH_SERIAL;
  return writeMarkup(entry, CLOSE, writeDouble(writeMarkup(entry, OPEN, out), serial, false));
}
