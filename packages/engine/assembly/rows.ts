/**
 * Writes rows of typed columns as CSV or JSON. The caller (src/duckdb/typed-path) copies the vectors of a chunk into the memory, and
 * a table with one entry per cell of a row, in the order of the row. Nothing here allocates: every address comes from the caller.
 */
import { writeDecimal, writeHuge, writeI64, writeU32, writeU64, writeUuid } from './digits';
import { writeDouble, writeFloat } from './doubles';
import { copyBytes, writeCsvText, writeJsonText, writeRaw } from './texts';
import { writeDate, writeMicroseconds, writeTime, writeTimestamp } from './times';

export { CELL_BYTES, Cell, copyRows, readEnd, writtenEnd } from './pages';
export { fillTables } from './tables';

/** How the values of a column are stored, and so how they are written. `Raw`: finished cells. `None`: only the literal. */
export enum Kind {
  Boolean,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Int128,
  UInt128,
  Float,
  Double,
  Decimal16,
  Decimal32,
  Decimal64,
  Date,
  Time,
  Timestamp,
  Microseconds,
  MicrosecondsUtc,
  Uuid,
  Text,
  Raw,
  None,
}

/** Bytes of an entry of the table, and the places of its fields. */
export const ENTRY_BYTES: usize = 64;
/** u8, a `Kind`. */
export const ENTRY_KIND: usize = 0;
/** u8, 1: a value that is not NULL has quotes around it. */
export const ENTRY_QUOTED: usize = 1;
/** u8, digits after the decimal point. */
export const ENTRY_SCALE: usize = 2;
/** u8, 1: texts that a spreadsheet runs as formulas get an apostrophe. */
export const ENTRY_GUARDED: usize = 3;
/** Address of the vector. */
export const ENTRY_DATA: usize = 4;
/** Address of the validity bits; 0: no value is NULL. */
export const ENTRY_VALIDITY: usize = 8;
/** Address and length of the bytes before the cell. */
export const ENTRY_LITERAL: usize = 12;
export const ENTRY_LITERAL_BYTES: usize = 16;
/** i32, the day whose text is at ENTRY_LAST_TEXT. */
export const ENTRY_LAST_DAY: usize = 20;
/** u32, upper bound of the bytes of literal and cell, without its text. */
export const ENTRY_BYTES_MAX: usize = 24;
export const ENTRY_LAST_TEXT: usize = 32;
/** u64, ten to the power of the scale. */
export const ENTRY_POWER: usize = 48;

/**
 * A text (duckdb_string_t): its length, then 12 bytes inline, or 4 bytes of prefix and an address. The engine's address is one outside
 * of this memory; `findRuns` and the caller replace it.
 */
const INLINE_BYTES_MAX: u32 = 12;
export const TEXT_ADDRESS: usize = 8;
/** JSON writes at most six bytes for one, CSV two. */
const JSON_GROWTH: u64 = 6;
const CSV_GROWTH: u64 = 2;

/** Address after the last byte that `writeRows` wrote. */
export let end: usize = 0;
/** Whether `writeRows` stopped at a row with a cell that only the caller can write. */
export let isStopped: bool = false;

// @ts-ignore
@inline function isValid(validity: usize, row: u32): bool {
  return validity == 0 || (load<u8>(validity + (row >> 3)) & (1 << (row & 7))) != 0;
}

// @ts-ignore
@inline function textAt(entry: usize, row: u32): usize {
  return load<usize>(entry, ENTRY_DATA) + (<usize>row << 4);
}

// @ts-ignore
@inline function hasText(entry: usize): bool {
  const kind: i32 = load<u8>(entry, ENTRY_KIND);
  return kind == Kind.Text || kind == Kind.Raw;
}

/** Upper bound of the bytes of a text as it is written. What is under a NULL is not a text. */
// @ts-ignore
@inline function textBytesMax(entry: usize, row: u32, isJson: bool): u64 {
  if (!isValid(load<usize>(entry, ENTRY_VALIDITY), row)) return 0;
  return <u64>load<u32>(textAt(entry, row)) * (isJson ? JSON_GROWTH : CSV_GROWTH);
}

// @ts-ignore
@inline function rowBytesMax(row: u32, rowFixed: u64, texts: usize, textsEnd: usize, isJson: bool): u64 {
  let bytes = rowFixed;
  for (let at = texts; at < textsEnd; at += 4) bytes += textBytesMax(load<usize>(at), row, isJson);
  return bytes;
}

/** Bytes of the texts of a row that are not inline. */
function heapBytes(row: u32, texts: usize, textsEnd: usize): u64 {
  let bytes: u64 = 0;
  for (let at = texts; at < textsEnd; at += 4) {
    const entry = load<usize>(at);
    if (!isValid(load<usize>(entry, ENTRY_VALIDITY), row)) continue;
    const length = load<u32>(textAt(entry, row));
    if (length > INLINE_BYTES_MAX) bytes += length;
  }
  return bytes;
}

/** Bytes of the texts of the first `rows` rows that are not inline. */
export function heapBytesOf(rows: u32, texts: usize, textsEnd: usize): f64 {
  let bytes: u64 = 0;
  for (let row: u32 = 0; row < rows; row++) bytes += heapBytes(row, texts, textsEnd);
  return <f64>bytes;
}

/**
 * Returns the end of the rows from `row` on whose long texts fit into `heap` bytes together and of which each fits into `frame`
 * bytes. `texts` is a list of the table's entries that have texts.
 */
export function endOfFitting(
  row: u32, rows: u32, heap: u32, frame: u32, rowFixed: u32, texts: usize, textsEnd: usize, isJson: bool,
): u32 {
  let left: u64 = heap;
  for (; row < rows; row++) {
    const bytes = heapBytes(row, texts, textsEnd);
    if (bytes > left || rowBytesMax(row, rowFixed, texts, textsEnd, isJson) > frame) break;
    left -= bytes;
  }
  return row;
}

/**
 * Writes the runs of long texts that are contiguous in the engine's memory to `runs`, as pairs of the first row and the bytes, and
 * returns their number. The caller copies the runs to `heap`, one after the other; the texts get their addresses there.
 */
export function findRuns(data: usize, validity: usize, row: u32, rows: u32, runs: usize, heap: usize): u32 {
  let count: usize = 0;
  let runEnd: u64 = 0;
  let bytes: u32 = 0;
  for (; row < rows; row++) {
    if (!isValid(validity, row)) continue;
    const text = data + (<usize>row << 4);
    const length = load<u32>(text);
    if (length <= INLINE_BYTES_MAX) continue;
    const address = load<u64>(text, TEXT_ADDRESS);
    if (count > 0 && address == runEnd) {
      bytes += length;
    } else {
      bytes = length;
      store<u32>(runs + (count << 3), row);
      count++;
    }
    store<u32>(runs + ((count - 1) << 3), bytes, 4);
    runEnd = address + length;
    store<usize>(text, heap, TEXT_ADDRESS);
    heap += length;
  }
  return <u32>count;
}

/** Returns the first entry from `entry` on that does not fit into `frame` bytes together with those before it. */
export function endOfCells(entry: usize, entriesEnd: usize, row: u32, frame: u32, isJson: bool): usize {
  let bytes: u64 = 0;
  for (; entry < entriesEnd; entry += ENTRY_BYTES) {
    bytes += load<u32>(entry, ENTRY_BYTES_MAX);
    if (hasText(entry)) bytes += textBytesMax(entry, row, isJson);
    if (bytes > frame) break;
  }
  return entry;
}

/**
 * Writes whole rows from `row` on to `out`, while they surely end before `limit`, and returns the first that is not written. Sets
 * `end` and `isStopped`.
 */
export function writeRows(
  table: usize, tableEnd: usize, row: u32, rows: u32, out: usize, limit: usize,
  rowFixed: u32, texts: usize, textsEnd: usize, isJson: bool,
): u32 {
  isStopped = false;
  for (; row < rows; row++) {
    if (<u64>out + rowBytesMax(row, rowFixed, texts, textsEnd, isJson) > limit) break;
    const next = writeCells(table, tableEnd, row, out, isJson);
    if (next == 0) {
      isStopped = true;
      break;
    }
    out = next;
  }
  end = out;
  return row;
}

/** Writes literals and cells of one row. Returns 0 at a finished cell that only the caller can write. */
// @ts-ignore
@inline export function writeCells(table: usize, tableEnd: usize, row: u32, out: usize, isJson: bool): usize {
  for (let entry = table; entry < tableEnd; entry += ENTRY_BYTES) {
    const literalBytes = load<u32>(entry, ENTRY_LITERAL_BYTES);
    copyBytes(out, load<usize>(entry, ENTRY_LITERAL), literalBytes);
    out += literalBytes;
    const kind: i32 = load<u8>(entry, ENTRY_KIND);
    if (!isValid(load<usize>(entry, ENTRY_VALIDITY), row)) {
      if (isJson) {
        store<u32>(out, 0x6c6c756e); // "null"
        out += 4;
      }
      continue;
    }
    if (kind == Kind.Text || kind == Kind.Raw) {
      const text = textAt(entry, row);
      const length = load<u32>(text);
      const from = length > INLINE_BYTES_MAX ? load<usize>(text, TEXT_ADDRESS) : text + 4;
      if (kind == Kind.Text) {
        out = isJson ? writeJsonText(out, from, length) : writeCsvText(out, from, length, load<u8>(entry, ENTRY_GUARDED) != 0);
        continue;
      }
      out = writeRaw(out, from, length);
      if (out == 0) return 0;
      continue;
    }
    const isQuoted = load<u8>(entry, ENTRY_QUOTED) != 0;
    if (isQuoted) store<u8>(out++, 34);
    out = writeValue(entry, kind, row, out, isJson);
    if (isQuoted) store<u8>(out++, 34);
  }
  return out;
}

// @ts-ignore
@inline function writeValue(entry: usize, kind: i32, row: u32, out: usize, isJson: bool): usize {
  const data = load<usize>(entry, ENTRY_DATA);
  switch (kind) {
    case Kind.Boolean:
      return writeBoolean(out, load<u8>(data + row) != 0);
    case Kind.Int8:
      return writeI64(out, load<i8>(data + row));
    case Kind.Int16:
      return writeI64(out, load<i16>(data + (<usize>row << 1)));
    case Kind.Int32:
      return writeI64(out, load<i32>(data + (<usize>row << 2)));
    case Kind.Int64:
      return writeI64(out, load<i64>(data + (<usize>row << 3)));
    case Kind.UInt8:
      return writeU32(out, load<u8>(data + row));
    case Kind.UInt16:
      return writeU32(out, load<u16>(data + (<usize>row << 1)));
    case Kind.UInt32:
      return writeU32(out, load<u32>(data + (<usize>row << 2)));
    case Kind.UInt64:
      return writeU64(out, load<u64>(data + (<usize>row << 3)));
    case Kind.Int128:
    case Kind.UInt128: {
      const value = data + (<usize>row << 4);
      return writeHuge(out, load<u64>(value), load<u64>(value, 8), kind == Kind.Int128, load<u8>(entry, ENTRY_SCALE));
    }
    case Kind.Float:
      return writeFloat(out, load<f32>(data + (<usize>row << 2)), isJson);
    case Kind.Double:
      return writeDouble(out, load<f64>(data + (<usize>row << 3)), isJson);
    case Kind.Decimal16:
      return writeScaled(entry, out, load<i16>(data + (<usize>row << 1)));
    case Kind.Decimal32:
      return writeScaled(entry, out, load<i32>(data + (<usize>row << 2)));
    case Kind.Decimal64:
      return writeScaled(entry, out, load<i64>(data + (<usize>row << 3)));
    case Kind.Date:
      return writeDate(out, load<i32>(data + (<usize>row << 2)));
    case Kind.Time:
      return writeTime(out, load<i64>(data + (<usize>row << 3)), load<u8>(entry, ENTRY_SCALE), load<u64>(entry, ENTRY_POWER));
    case Kind.Timestamp:
      return writeTimestamp(out, load<i64>(data + (<usize>row << 3)), load<u8>(entry, ENTRY_SCALE), load<u64>(entry, ENTRY_POWER));
    case Kind.Microseconds:
      return writeMicroseconds(out, load<i64>(data + (<usize>row << 3)), entry + ENTRY_LAST_DAY, entry + ENTRY_LAST_TEXT);
    case Kind.MicrosecondsUtc:
      return writeUtc(entry, out, load<i64>(data + (<usize>row << 3)));
    case Kind.Uuid: {
      const value = data + (<usize>row << 4);
      return writeUuid(out, load<u64>(value), load<u64>(value, 8));
    }
    default:
      return out; // None
  }
}

// @ts-ignore
@inline function writeScaled(entry: usize, out: usize, value: i64): usize {
  return writeDecimal(out, value, load<u8>(entry, ENTRY_SCALE), load<u64>(entry, ENTRY_POWER));
}

function writeBoolean(out: usize, value: bool): usize {
  if (value) {
    store<u32>(out, 0x65757274); // "true"
    return out + 4;
  }
  store<u32>(out, 0x736c6166); // "fals"
  store<u8>(out + 4, 101);
  return out + 5;
}

/** Infinities have no zone. */
function writeUtc(entry: usize, out: usize, ticks: i64): usize {
  out = writeMicroseconds(out, ticks, entry + ENTRY_LAST_DAY, entry + ENTRY_LAST_TEXT);
  if (ticks == i64.MAX_VALUE || ticks == -i64.MAX_VALUE) return out;
  store<u32>(out, 0x43545520); // " UTC"
  return out + 4;
}
