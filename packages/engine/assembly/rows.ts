/**
 * Writes rows of typed columns as CSV, JSON or worksheet. The caller (src/duckdb/typed-path) copies the vectors of a chunk into the memory, and
 * a table with one entry per cell of a row, in the order of the row. Nothing here allocates: every address comes from the caller.
 */
import {
  CSV, ENTRY_BYTES, ENTRY_BYTES_MAX, ENTRY_GUARDED, ENTRY_KIND, ENTRY_LITERAL, ENTRY_LITERAL_BYTES, ENTRY_QUOTED, ENTRY_SEPARATOR,
  ENTRY_VALIDITY,
  hasText, INLINE_BYTES_MAX, isValid, JSON, Kind, SHEET, TEXT_ADDRESS, textAt,
} from './entry';
import { writeSheetCell, writeSheetNull } from './sheet';
import { copyBytes, writeCsvText, writeJsonText, writeRaw } from './strings';
import { writeValue } from './values';

export {
  CSV, ENTRY_BYTES, ENTRY_BYTES_MAX, ENTRY_DATA, ENTRY_GUARDED, ENTRY_KIND, ENTRY_LAST_DAY, ENTRY_LITERAL, ENTRY_LITERAL_BYTES,
  ENTRY_MARKUP, ENTRY_POWER, ENTRY_QUOTED, ENTRY_RULE, ENTRY_SCALE, ENTRY_SEPARATOR, ENTRY_VALIDITY, JSON, Kind, SHEET, TEXT_ADDRESS,
} from './entry';
export { CELL_BYTES, Cell, copyRows, readEnd, writtenEnd } from './pages';
export { MARKUP_BYTES, MARKUP_SLOT_BYTES, Rule } from './sheet';
export { fillTables } from './tables';

/** JSON writes at most six bytes for one, CSV two, a worksheet seven. */
const JSON_GROWTH: u64 = 6;
const CSV_GROWTH: u64 = 2;
const SHEET_GROWTH: u64 = 7;

@inline function growthOf(notation: i32): u64 {
  return notation == JSON ? JSON_GROWTH : notation == CSV ? CSV_GROWTH : SHEET_GROWTH;
}

/** Address after the last byte that `writeRows` wrote. */
export let end: usize = 0;
/** Whether `writeRows` stopped at a row with a cell that only the caller can write. */
export let isStopped: bool = false;

/** Upper bound of the bytes of a string as it is written. What is under a NULL is not a string. */
@inline function textBytesMax(entry: usize, row: u32, notation: i32): u64 {
  if (!isValid(load<usize>(entry, ENTRY_VALIDITY), row)) return 0;
  return <u64>load<u32>(textAt(entry, row)) * growthOf(notation);
}

@inline function rowBytesMax(row: u32, rowFixed: u64, strings: usize, stringsEnd: usize, notation: i32): u64 {
  let bytes = rowFixed;
  for (let at = strings; at < stringsEnd; at += 4) bytes += textBytesMax(load<usize>(at), row, notation);
  return bytes;
}

/** Bytes of the strings of a row that are not inline. */
function heapBytes(row: u32, strings: usize, stringsEnd: usize): u64 {
  let bytes: u64 = 0;
  for (let at = strings; at < stringsEnd; at += 4) {
    const entry = load<usize>(at);
    if (!isValid(load<usize>(entry, ENTRY_VALIDITY), row)) continue;
    const length = load<u32>(textAt(entry, row));
    if (length > INLINE_BYTES_MAX) bytes += length;
  }
  return bytes;
}

/** Bytes of the strings of the first `rows` rows that are not inline. */
export function heapBytesOf(rows: u32, strings: usize, stringsEnd: usize): f64 {
  let bytes: u64 = 0;
  for (let row: u32 = 0; row < rows; row++) bytes += heapBytes(row, strings, stringsEnd);
  return <f64>bytes;
}

/**
 * Returns the row before which a run of rows from `row` on must end: the long strings of the run fit into `heap` bytes together, and
 * each of its rows fits into `frame` bytes. `strings` is a list of the table's entries that have strings.
 */
export function endOfFitting(
  row: u32, rows: u32, heap: u32, frame: u32, rowFixed: u32, strings: usize, stringsEnd: usize, notation: i32,
): u32 {
  let left: u64 = heap;
  for (; row < rows; row++) {
    const bytes = heapBytes(row, strings, stringsEnd);
    if (bytes > left || rowBytesMax(row, rowFixed, strings, stringsEnd, notation) > frame) break;
    left -= bytes;
  }
  return row;
}

/**
 * Writes the runs of long strings that are contiguous in the engine's memory to `runs`, as pairs of the first row and the bytes, and
 * returns their number. The caller copies the runs to `heap`, one after the other; the strings get their addresses there.
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
export function endOfCells(entry: usize, entriesEnd: usize, row: u32, frame: u32, notation: i32): usize {
  let bytes: u64 = 0;
  for (; entry < entriesEnd; entry += ENTRY_BYTES) {
    bytes += load<u32>(entry, ENTRY_BYTES_MAX);
    if (hasText(entry)) bytes += textBytesMax(entry, row, notation);
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
  rowFixed: u32, strings: usize, stringsEnd: usize, notation: i32,
): u32 {
  isStopped = false;
  for (; row < rows; row++) {
    if (<u64>out + rowBytesMax(row, rowFixed, strings, stringsEnd, notation) > limit) break;
    const next = writeCells(table, tableEnd, row, out, notation);
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
@inline export function writeCells(table: usize, tableEnd: usize, row: u32, out: usize, notation: i32): usize {
  const isJson = notation == JSON;
  for (let entry = table; entry < tableEnd; entry += ENTRY_BYTES) {
    const literalBytes = load<u32>(entry, ENTRY_LITERAL_BYTES);
    copyBytes(out, load<usize>(entry, ENTRY_LITERAL), literalBytes);
    out += literalBytes;
    const kind: i32 = load<u8>(entry, ENTRY_KIND);
    if (!isValid(load<usize>(entry, ENTRY_VALIDITY), row)) {
      if (notation == SHEET) {
        out = writeSheetNull(entry, out);
        continue;
      }
      if (isJson) {
        store<u32>(out, 0x6c6c756e); // "null"
        out += 4;
      }
      continue;
    }
    if (notation == SHEET) {
      out = writeSheetCell(entry, kind, row, out);
      continue;
    }
    if (kind == Kind.Text || kind == Kind.Raw) {
      const text = textAt(entry, row);
      const length = load<u32>(text);
      const from = length > INLINE_BYTES_MAX ? load<usize>(text, TEXT_ADDRESS) : text + 4;
      if (kind == Kind.Text) {
        out = isJson
          ? writeJsonText(out, from, length)
          : writeCsvText(out, from, length, load<u8>(entry, ENTRY_GUARDED) != 0, load<u8>(entry, ENTRY_SEPARATOR));
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
