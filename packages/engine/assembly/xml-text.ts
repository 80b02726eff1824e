/** Strings as text of an XML element, as `xmlText` in packages/encoders/src/xlsx/cell-xml.ts. */

/** One bit for each of 16 bytes that may have to be escaped; `next` are the bytes that follow each of them. */
@inline function xmlSpecial(bytes: v128, next: v128): i32 {
  return i8x16.bitmask(
    v128.or(
      v128.or(
        v128.or(i8x16.eq(bytes, i8x16.splat(38)), i8x16.eq(bytes, i8x16.splat(60))),
        v128.or(i8x16.eq(bytes, i8x16.splat(62)), i8x16.lt_u(bytes, i8x16.splat(32))),
      ),
      v128.or(
        // "_x", which starts what looks escaped
        v128.and(i8x16.eq(bytes, i8x16.splat(95)), i8x16.eq(next, i8x16.splat(120))),
        // EF BF, which start U+FFFE and U+FFFF
        v128.and(i8x16.eq(bytes, i8x16.splat(<i8>0xef)), i8x16.eq(next, i8x16.splat(<i8>0xbf))),
      ),
    ),
  );
}

export function writeXmlText(out: usize, from: usize, length: u32): usize {
  let special: i32 = 0;
  for (let at: u32 = 0; at < length; at += 16) {
    const bytes = v128.load(from + at);
    v128.store(out + at, bytes);
    special |= xmlSpecial(bytes, v128.load(from + at + 1)) & (length - at >= 16 ? 0xffff : (1 << (length - at)) - 1);
  }
  return special == 0 ? out + length : writeEscaped(out, from, length);
}

function writeEscaped(out: usize, from: usize, length: u32): usize {
  const end = from + length;
  const isAmbiguous = looksEscaped(from, end);
  for (; from < end; from++) {
    const byte = load<u8>(from);
    if (byte >= 64 && byte != 95 && byte != 0xef) {
      store<u8>(out++, byte);
    } else if (byte < 32 && byte != 9 && byte != 10 && byte != 13) {
      out = writeInvalid(out, 0x30303030, byte);
    } else if (byte == 0xef && from + 2 < end && load<u8>(from, 1) == 0xbf && load<u8>(from, 2) >= 0xbe) {
      out = writeInvalid(out, 0x46464646, load<u8>(from, 2) & 15); // BE and BF: the last digit of FFFE and FFFF
      from += 2;
    } else if (byte == 95 && isAmbiguous && from + 1 < end && load<u8>(from, 1) == 120) {
      store<u64>(out, 0x5f46353030785f); // "_x005F_"
      out += 7;
    } else out = writeCharacter(out, byte);
  }
  return out;
}

@inline function writeCharacter(out: usize, byte: u8): usize {
  switch (byte) {
    case 38:
      store<u64>(out, 0x3b706d6126); // "&amp;"
      return out + 5;
    case 60:
      store<u32>(out, 0x3b746c26); // "&lt;"
      return out + 4;
    case 62:
      store<u32>(out, 0x3b746726); // "&gt;"
      return out + 4;
    case 13:
      store<u64>(out, 0x3b33312326); // "&#13;"
      return out + 5;
    default:
      store<u8>(out, byte);
      return out + 1;
  }
}

/** `_xHHHH_`: four digits, of which the last ones are those of a byte. */
function writeInvalid(out: usize, digits: u32, byte: u8): usize {
  store<u16>(out, 0x785f); // "_x"
  store<u32>(out, digits, 2);
  if (byte >= 16) store<u8>(out, 48 + (byte >> 4), 4);
  const digit = byte & 15;
  store<u8>(out, digit < 10 ? 48 + digit : 55 + digit, 5);
  store<u8>(out, 95, 6);
  return out + 7;
}

@inline function isHexDigit(byte: u8): bool {
  const lower = byte | 32;
  return (byte >= 48 && byte <= 57) || (lower >= 97 && lower <= 102);
}

/** Whether a string contains `_xHHHH_`. */
function looksEscaped(from: usize, end: usize): bool {
  for (; from + 7 <= end; from++) {
    if (
      load<u16>(from) == 0x785f && load<u8>(from, 6) == 95 && isHexDigit(load<u8>(from, 2)) && isHexDigit(load<u8>(from, 3)) &&
      isHexDigit(load<u8>(from, 4)) && isHexDigit(load<u8>(from, 5))
    ) {
      return true;
    }
  }
  return false;
}
