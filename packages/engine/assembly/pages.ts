/**
 * Copies rows of Trino's pages, which are JSON, into rows of CSV or JSON. The caller (src/trino/cells/plain-rows.ts) copies a part of
 * a page into the memory, and a table with one entry per cell, in the order of the row. A row with anything unusual (escapes, a value of
 * another type, white space other than a line feed before the row) is left to the caller, and so is every error.
 */
import { copyBytes } from './strings';

/** Kinds of cells, as `PlainKind` in src/trino/cells/plain-cursor.ts. */
export enum Cell {
  Number,
  QuotedNumber,
  String,
  Field,
  Boolean,
}

/** Bytes of an entry of the table: u32 `Cell`, then address and length of the bytes before the cell. */
export const CELL_BYTES: usize = 16;
const CELL_LITERAL: usize = 4;
const CELL_LITERAL_BYTES: usize = 8;

/** Copies run up to this many bytes past what they copy. */
const SLACK: usize = 64;

const NULL: u32 = 0x6c6c756e; // "null"
const COMMA: u8 = 44;
const LINE_FEED: u8 = 10;
const QUOTE: u8 = 34;
const OPEN_ARRAY: u8 = 91;
const CLOSE_ARRAY: u8 = 93;

/** Address after the last row that `copyRows` read, and after the last byte that it wrote. */
export let readEnd: usize = 0;
export let writtenEnd: usize = 0;
/** Addresses after the last cell: in the page, and in the output. `read` is 0 after a cell that is not plain. */
let read: usize = 0;
let out: usize = 0;

/**
 * Copies at most `rows` rows, each with the comma before it, from `at`, and returns their number. Stops before the first row that is
 * not plain, or does not surely fit below `limit`. `fixed` is the sum of all literals; the last entry of the table is the end of a row.
 */
export function copyRows(
  at: usize, sourceEnd: usize, to: usize, limit: usize, rows: u32, table: usize, tableEnd: usize, fixed: u32, isJson: bool,
): u32 {
  readEnd = at;
  writtenEnd = to;
  let count: u32 = 0;
  while (count < rows && <u64>writtenEnd + fixed + SLACK < limit) {
    // A cell is never longer as it is written than in its page, so a row that ends here fits.
    const room = limit - writtenEnd - fixed - SLACK;
    const end = sourceEnd - readEnd > room ? readEnd + room : sourceEnd;
    if (!copyRow(readEnd, end, writtenEnd, table, tableEnd, isJson)) break;
    readEnd = read;
    writtenEnd = out;
    count++;
  }
  return count;
}

/** Sets `read` and `out`. Returns false if the row is not plain, or does not end before `end`. */
@inline function copyRow(at: usize, end: usize, to: usize, table: usize, tableEnd: usize, isJson: bool): bool {
  if (load<u8>(at) != COMMA) return false;
  // Rows that are kept as a client of Trino got them have a line feed after the comma.
  const start = at + 1 + <usize>(load<u8>(at, 1) == LINE_FEED);
  if (load<u8>(start) != OPEN_ARRAY) return false;
  read = start + 1;
  out = to;
  const last = tableEnd - CELL_BYTES;
  for (let entry = table; entry < last; entry += CELL_BYTES) {
    copyLiteral(entry);
    if (entry != table) {
      if (load<u8>(read) != COMMA) return false;
      read++;
    }
    if (load<u32>(read) == NULL) {
      if (isJson) {
        store<u32>(out, NULL);
        out += 4;
      }
      read += 4;
    } else copyCell(load<u32>(entry), end);
    if (read == 0 || read >= end) return false;
  }
  if (load<u8>(read) != CLOSE_ARRAY) return false;
  read++;
  copyLiteral(last);
  return read <= end;
}

@inline function copyLiteral(entry: usize): void {
  const length = load<u32>(entry, CELL_LITERAL_BYTES);
  copyBytes(out, load<usize>(entry, CELL_LITERAL), length);
  out += length;
}

@inline function copyCell(kind: u32, end: usize): void {
  switch (kind) {
    case Cell.Number:
      copyNumber(end);
      break;
    case Cell.QuotedNumber:
      copyQuotedNumber(end);
      break;
    case Cell.String:
      copyString(end);
      break;
    case Cell.Field:
      copyField(end);
      break;
    default:
      copyBoolean();
  }
}

/** One bit for each of 16 bytes that are not digits. */
@inline function notDigits(at: usize): i32 {
  return ~i8x16.bitmask(i8x16.lt_u(i8x16.sub(v128.load(at), i8x16.splat(48)), i8x16.splat(10))) & 0xffff;
}

/** Returns the address after the digits from `at` on. The caller writes a zero after the page. */
@inline function afterDigits(at: usize): usize {
  let others = notDigits(at);
  while (others == 0) {
    at += 16;
    others = notDigits(at);
  }
  return at + ctz(others);
}

/** Returns the address after a number (RFC 8259, section 6); 0 if there is none, or it is longer than what `end` allows. */
function afterNumber(at: usize, end: usize): usize {
  if (load<u8>(at) == 45) at++;
  const first = at;
  at = afterDigits(at);
  if (at == first || at > end || (load<u8>(first) == 48 && at > first + 1)) return 0;
  if (load<u8>(at) == 46) {
    const fraction = at + 1;
    at = afterDigits(fraction);
    if (at == fraction || at > end) return 0;
  }
  if ((load<u8>(at) | 0x20) != 101) return at;
  at++;
  const sign = load<u8>(at);
  if (sign == 43 || sign == 45) at++;
  const exponent = at;
  at = afterDigits(at);
  return at == exponent || at > end ? 0 : at;
}

function copyNumber(end: usize): void {
  const after = afterNumber(read, end);
  const length = <u32>(after - read);
  if (after != 0) {
    copyBytes(out, read, length);
    out += length;
  }
  read = after;
}

function copyQuotedNumber(end: usize): void {
  const start = read + 1;
  const after = load<u8>(read) == QUOTE ? afterNumber(start, end) : 0;
  if (after == 0 || load<u8>(after) != QUOTE) {
    read = 0;
    return;
  }
  const length = <u32>(after - start);
  copyBytes(out, start, length);
  out += length;
  read = after + 1;
}

/** One bit for each of 16 bytes that end a string or are not plain in it: quote, backslash, control characters. */
@inline function endsOfText(bytes: v128): i32 {
  return i8x16.bitmask(
    v128.or(
      v128.or(i8x16.eq(bytes, i8x16.splat(34)), i8x16.eq(bytes, i8x16.splat(92))),
      i8x16.lt_u(bytes, i8x16.splat(32)),
    ),
  );
}

/** A string with its quotes. */
function copyString(end: usize): void {
  let from = read + 1;
  let to = out + 1;
  if (load<u8>(read) != QUOTE) from = end;
  read = 0;
  for (; from < end; from += 16, to += 16) {
    const bytes = v128.load(from);
    v128.store(to, bytes);
    const ends = endsOfText(bytes);
    if (ends == 0) continue;
    const length = <usize>ctz(ends);
    if (load<u8>(from + length) != QUOTE) return;
    store<u8>(out, QUOTE);
    store<u8>(to + length, QUOTE);
    out = to + length + 1;
    read = from + length + 1;
    return;
  }
}

/** A string as a field of CSV: with its quotes only if it has a comma or is empty (RFC 4180, section 2, rule 6). */
function copyField(end: usize): void {
  const start = read;
  let from = start + 1;
  let to = out;
  let commas: i32 = 0;
  if (load<u8>(start) != QUOTE) from = end;
  read = 0;
  for (; from < end; from += 16, to += 16) {
    const bytes = v128.load(from);
    v128.store(to, bytes);
    const ends = endsOfText(bytes);
    const found = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(COMMA)));
    if (ends == 0) {
      commas |= found;
      continue;
    }
    const length = <usize>ctz(ends);
    if (load<u8>(from + length) != QUOTE) return;
    read = from + length + 1;
    commas |= found & ((1 << <i32>length) - 1);
    if (commas == 0 && read > start + 2) {
      out = to + length;
      return;
    }
    copyBytes(out, start, <u32>(read - start));
    out += read - start;
    return;
  }
}

function copyBoolean(): void {
  const word = load<u32>(read);
  if (word == 0x65757274) { // "true"
    store<u32>(out, word);
    out += 4;
    read += 4;
  } else if (word == 0x736c6166 && load<u8>(read, 4) == 101) { // "false"
    store<u32>(out, word);
    store<u8>(out + 4, 101);
    out += 5;
    read += 5;
  } else read = 0;
}
