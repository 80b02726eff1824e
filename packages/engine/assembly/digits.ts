/** Decimal text of integers and decimals. Each function writes at `out` and returns the address after the text. */
import { PAIRS, QUADS } from './tables';

/** Writes a value below 10,000 without leading zeros. */
@inline function writeSmall(out: usize, value: u32): usize {
  if (value < 100) {
    if (value < 10) {
      store<u8>(out, <u8>(48 + value));
      return out + 1;
    }
    store<u16>(out, load<u16>(PAIRS + value * 2));
    return out + 2;
  }
  const four = load<u32>(QUADS + value * 4);
  if (value < 1_000) {
    store<u32>(out, four >> 8);
    return out + 3;
  }
  store<u32>(out, four);
  return out + 4;
}

@inline export function writeTwo(out: usize, value: u32): void {
  store<u16>(out, load<u16>(PAIRS + value * 2));
}

@inline export function writeFour(out: usize, value: u32): void {
  store<u32>(out, load<u32>(QUADS + value * 4));
}

/** Exactly eight digits. */
@inline function writeEight(out: usize, value: u32): void {
  const high = value / 10_000;
  writeFour(out, high);
  writeFour(out + 4, value - high * 10_000);
}

@inline export function writeU32(out: usize, value: u32): usize {
  if (value < 10_000) return writeSmall(out, value);
  if (value < 100_000_000) {
    const high = value / 10_000;
    out = writeSmall(out, high);
    writeFour(out, value - high * 10_000);
    return out + 4;
  }
  const top = value / 100_000_000;
  out = writeSmall(out, top);
  writeEight(out, value - top * 100_000_000);
  return out + 8;
}

export function writeU64(out: usize, value: u64): usize {
  if (value <= u32.MAX_VALUE) return writeU32(out, <u32>value);
  const high = value / 100_000_000;
  const low = <u32>(value - high * 100_000_000);
  if (high <= u32.MAX_VALUE) {
    out = writeU32(out, <u32>high);
    writeEight(out, low);
    return out + 8;
  }
  const top = high / 100_000_000;
  out = writeU32(out, <u32>top);
  writeEight(out, <u32>(high - top * 100_000_000));
  writeEight(out + 8, low);
  return out + 16;
}

@inline export function writeI64(out: usize, value: i64): usize {
  if (value < 0) {
    store<u8>(out, 45);
    out++;
    value = -value; // the least value stays as it is, and is right as unsigned
  }
  return <u64>value <= u32.MAX_VALUE ? writeU32(out, <u32>value) : writeU64(out, <u64>value);
}

/** Exactly `digits` digits, with leading zeros. */
export function writePadded(out: usize, value: u64, digits: u32): usize {
  let at = out + digits;
  while (at >= out + 2) {
    const rest = value / 100;
    at -= 2;
    writeTwo(at, <u32>(value - rest * 100));
    value = rest;
  }
  if (at > out) store<u8>(out, <u8>(48 + (value % 10)));
  return out + digits;
}

/** A decimal of up to 18 digits: `power` is ten to the power of the scale. */
@inline export function writeDecimal(out: usize, value: i64, scale: u32, power: u64): usize {
  if (scale == 0) return writeI64(out, value);
  if (value < 0) {
    store<u8>(out, 45);
    out++;
    value = -value;
  }
  if (scale == 2 && <u64>value <= u32.MAX_VALUE) {
    const cents = <u32>value;
    const whole = cents / 100;
    out = writeU32(out, whole);
    store<u8>(out, 46);
    writeTwo(out + 1, cents - whole * 100);
    return out + 3;
  }
  const whole = <u64>value / power;
  out = writeU64(out, whole);
  store<u8>(out, 46);
  return writePadded(out + 1, <u64>value - whole * power, scale);
}

const BILLION: u64 = 1_000_000_000;
/** Five groups of nine digits hold 2^128. */
const GROUPS: usize = 5;

/** A number of 128 bits with a decimal point before its last `scale` digits. */
export function writeHuge(out: usize, low: u64, high: u64, isSigned: bool, scale: u32): usize {
  if (isSigned && <i64>high < 0) {
    store<u8>(out, 45);
    out++;
    low = ~low + 1;
    high = ~high + u64(low == 0);
  }
  // Long division of four 32-bit limbs by 10^9; each remainder is nine digits, the last ones first.
  let a: u64 = high >> 32, b: u64 = high & 0xffffffff, c: u64 = low >> 32, d: u64 = low & 0xffffffff;
  const digits = GROUPS * 9;
  for (let group: usize = GROUPS; group > 0; group--) {
    let rest = a;
    a = rest / BILLION;
    rest = ((rest % BILLION) << 32) | b;
    b = rest / BILLION;
    rest = ((rest % BILLION) << 32) | c;
    c = rest / BILLION;
    rest = ((rest % BILLION) << 32) | d;
    d = rest / BILLION;
    // One byte further right than its place: the point may have to come before it.
    writePadded(out + 1 + (group - 1) * 9, rest % BILLION, 9);
  }
  const start = out + 1;
  let leading: usize = 0;
  while (leading < digits - 1 - scale && load<u8>(start + leading) == 48) leading++;
  const whole = digits - scale - leading;
  memory.copy(out, start + leading, whole);
  out += whole;
  if (scale == 0) return out;
  store<u8>(out, 46);
  memory.copy(out + 1, start + digits - scale, scale);
  return out + 1 + scale;
}

@inline function hexDigit(value: u32): u8 {
  return <u8>(value < 10 ? 48 + value : 87 + value);
}

/** The last `digits` hexadecimal digits in lower case. */
function writeHex(out: usize, value: u64, digits: u32): usize {
  for (let shift: i32 = (digits - 1) * 4; shift >= 0; shift -= 4) {
    store<u8>(out++, hexDigit(<u32>(value >> shift) & 15));
  }
  return out;
}

/** DuckDB flips the first bit, so that UUIDs sort as signed numbers. */
export function writeUuid(out: usize, low: u64, high: u64): usize {
  high ^= 1 << 63;
  out = writeHex(out, high >> 32, 8);
  store<u8>(out++, 45);
  out = writeHex(out, high >> 16, 4);
  store<u8>(out++, 45);
  out = writeHex(out, high, 4);
  store<u8>(out++, 45);
  out = writeHex(out, low >> 48, 4);
  store<u8>(out++, 45);
  return writeHex(out, low, 12);
}
