/**
 * Strings in the notation of a format. Each function writes at `out` and returns the address after the text. Copies run in steps of
 * 16 bytes, up to 15 bytes past the text, so all memory that they touch has slack at its end.
 */

@inline export function copyBytes(out: usize, from: usize, length: u32): void {
  v128.store(out, v128.load(from));
  for (let at: u32 = 16; at < length; at += 16) v128.store(out + at, v128.load(from + at));
}

/** Bits of the first `length` of 16 bytes. */
@inline function maskOf(length: u32): i32 {
  return length >= 16 ? 0xffff : (1 << length) - 1;
}

/** One bit for each of 16 bytes that make a CSV field need quotes (RFC 4180, section 2, rule 6). */
@inline function csvSpecial(bytes: v128, separator: v128): i32 {
  return i8x16.bitmask(
    v128.or(
      v128.or(i8x16.eq(bytes, separator), i8x16.eq(bytes, i8x16.splat(34))),
      v128.or(i8x16.eq(bytes, i8x16.splat(10)), i8x16.eq(bytes, i8x16.splat(13))),
    ),
  );
}

/** One bit for each of 16 bytes that JSON strings need to escape (RFC 8259, section 7). */
@inline function jsonSpecial(bytes: v128): i32 {
  return i8x16.bitmask(
    v128.or(
      v128.or(i8x16.eq(bytes, i8x16.splat(34)), i8x16.eq(bytes, i8x16.splat(92))),
      i8x16.lt_u(bytes, i8x16.splat(32)),
    ),
  );
}

/** The characters of `FORMULA_STARTS` in packages/encoders/src/csv.ts. */
@inline function startsFormula(byte: u8): bool {
  return byte == 61 || byte == 43 || byte == 45 || byte == 64 || byte == 9 || byte == 13 || byte == 0;
}

export function writeCsvText(out: usize, from: usize, length: u32, guardsFormulas: bool, separator: u8): usize {
  if (length == 0) {
    store<u16>(out, 0x2222); // an empty string is "", because an empty field is NULL
    return out + 2;
  }
  const isGuarded = guardsFormulas && startsFormula(load<u8>(from));
  const start = out;
  if (isGuarded) store<u8>(out++, 39);
  let special: i32 = 0;
  for (let at: u32 = 0; at < length; at += 16) {
    const bytes = v128.load(from + at);
    v128.store(out + at, bytes);
    special |= csvSpecial(bytes, i8x16.splat(separator)) & maskOf(length - at);
  }
  return special == 0 ? out + length : writeCsvQuoted(start, from, length, isGuarded);
}

function writeCsvQuoted(out: usize, from: usize, length: u32, isGuarded: bool): usize {
  store<u8>(out++, 34);
  if (isGuarded) store<u8>(out++, 39);
  for (let at: u32 = 0; at < length; at++) {
    const byte = load<u8>(from + at);
    if (byte == 34) store<u8>(out++, 34);
    store<u8>(out++, byte);
  }
  store<u8>(out++, 34);
  return out;
}

export function writeJsonText(out: usize, from: usize, length: u32): usize {
  store<u8>(out++, 34);
  let special: i32 = 0;
  for (let at: u32 = 0; at < length; at += 16) {
    const bytes = v128.load(from + at);
    v128.store(out + at, bytes);
    special |= jsonSpecial(bytes) & maskOf(length - at);
  }
  out = special == 0 ? out + length : writeJsonEscaped(out, from, length);
  store<u8>(out++, 34);
  return out;
}

/** Escapes as DuckDB's `to_json` does, with hexadecimal digits in upper case. */
function writeJsonEscaped(out: usize, from: usize, length: u32): usize {
  for (let at: u32 = 0; at < length; at++) {
    const byte = load<u8>(from + at);
    if (byte >= 32 && byte != 34 && byte != 92) {
      store<u8>(out++, byte);
      continue;
    }
    store<u8>(out++, 92);
    const letter = escapeLetter(byte);
    if (letter != 0) store<u8>(out++, letter);
    else {
      store<u32>(out, 0x30303075); // "u000"
      const digit = byte & 15;
      store<u8>(out + 3, 48 + (byte >> 4));
      store<u8>(out + 4, digit < 10 ? 48 + digit : 55 + digit);
      out += 5;
    }
  }
  return out;
}

/** 0 for a control character without a short escape. */
@inline function escapeLetter(byte: u8): u8 {
  switch (byte) {
    case 34:
    case 92:
      return byte;
    case 8:
      return 98;
    case 9:
      return 116;
    case 10:
      return 110;
    case 12:
      return 102;
    case 13:
      return 114;
    default:
      return 0;
  }
}

/** A finished cell. Returns 0 if it contains the byte 1, which refers to a long string: only the caller can write such a cell. */
export function writeRaw(out: usize, from: usize, length: u32): usize {
  let marks: i32 = 0;
  for (let at: u32 = 0; at < length; at += 16) {
    const bytes = v128.load(from + at);
    v128.store(out + at, bytes);
    marks |= i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(1))) & maskOf(length - at);
  }
  return marks == 0 ? out + length : 0;
}
