/** The table that describes the cells of a row, with one entry per cell, and the vectors that it refers to. */

/** Storage type of a column, which selects its writer. `Raw`: finished cells. `None`: a cell of the literal only. */
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
/** u8, 1: strings that a spreadsheet runs as formulas get an apostrophe. */
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
/** Address of the markup of a worksheet's cell (sheet.ts). */
export const ENTRY_MARKUP: usize = 28;
export const ENTRY_LAST_TEXT: usize = 32;
/** u64, ten to the power of the scale. */
export const ENTRY_POWER: usize = 48;
/** u8, a `Rule` of sheet.ts. */
export const ENTRY_RULE: usize = 56;
/** u8, the byte between the fields of a CSV. */
export const ENTRY_SEPARATOR: usize = 57;

/** Notation of the cells. */
export const CSV: i32 = 0;
export const JSON: i32 = 1;
export const SHEET: i32 = 2;

/**
 * A string (duckdb_string_t): its length, then 12 bytes inline, or 4 bytes of prefix and an address. The engine's address is one outside
 * of this memory; `findRuns` and the caller replace it.
 */
export const INLINE_BYTES_MAX: u32 = 12;
export const TEXT_ADDRESS: usize = 8;

@inline export function isValid(validity: usize, row: u32): bool {
  return validity == 0 || (load<u8>(validity + (row >> 3)) & (1 << (row & 7))) != 0;
}

@inline export function textAt(entry: usize, row: u32): usize {
  return load<usize>(entry, ENTRY_DATA) + (<usize>row << 4);
}

@inline export function hasText(entry: usize): bool {
  const kind: i32 = load<u8>(entry, ENTRY_KIND);
  return kind == Kind.Text || kind == Kind.Raw;
}
