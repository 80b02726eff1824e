/**
 * Shortest text of a DOUBLE or FLOAT that reads back as the same value (Giulietti, "The Schubfach way to render doubles"), in the
 * layout of DuckDB's cast. Each function writes at `out` and returns the address after the text.
 */
import { writePadded, writeTwo, writeU32 } from './digits';
import { POWER_MIN, POWERS } from './tables';

/** High half of the 128 bits of a product. */
@inline function multiplyHigh(a: u64, b: u64): u64 {
  const aLow = a & 0xffffffff, aHigh = a >> 32, bLow = b & 0xffffffff, bHigh = b >> 32;
  const low = aLow * bLow, middle1 = aLow * bHigh, middle2 = aHigh * bLow;
  const carry = (low >> 32) + (middle1 & 0xffffffff) + (middle2 & 0xffffffff);
  return aHigh * bHigh + (middle1 >> 32) + (middle2 >> 32) + (carry >> 32);
}

@inline function powerAt(k: i32): usize {
  return POWERS + (<usize>(k - POWER_MIN) << 4);
}

@inline function roundToOdd(high: u64, low: u64, c: u64): u64 {
  const x1 = multiplyHigh(low, c);
  const y0 = high * c + x1;
  const y1 = multiplyHigh(high, c) + u64(y0 < x1);
  return y1 | u64(y0 > 1);
}

/** The same with the upper 64 bits of the power, which are enough for the 24 bits of a FLOAT. */
@inline function roundToOdd32(power: u64, c: u32): u32 {
  const low = (power & 0xffffffff) * c;
  const middle = (power >> 32) * c + (low >> 32);
  return <u32>(middle >> 32) | u32(<u32>middle > 1);
}

/** Digits and decimal exponent that `findDouble` and `findFloat` found. */
let digits: u64 = 0;
let exponent10: i32 = 0;

/** Finds `c * 2^q` if it is a whole number of at most `bits` bits, and returns whether it is. */
@inline function findWhole(c: u64, q: i32, bits: i32): bool {
  if (q > 0 || q <= -bits || (c & ((<u64>1 << -q) - 1)) != 0) return false;
  digits = c >> -q;
  exponent10 = 0;
  return true;
}

/** Decimal exponent of the interval around `c * 2^q`. `isCloser`: the value below is only half as far away as the one above. */
@inline function exponentOf(q: i32, isCloser: bool): i32 {
  return (q * 1_262_611 - (isCloser ? 524_031 : 0)) >> 22;
}

/** Number of bits by which `4 * c` is shifted before it is multiplied by the power of ten. */
@inline function shiftOf(q: i32, k: i32): i32 {
  return q + ((-k * 1_741_647) >> 19) + 1;
}

function findDouble(fraction: u64, exponent: i32): void {
  const c = exponent == 0 ? fraction : fraction | (<u64>1 << 52);
  const q = max(exponent, 1) - 1_075;
  if (findWhole(c, q, 53)) return;
  const odd = c & 1;
  const isCloser = fraction == 0 && exponent > 1;
  const k = exponentOf(q, isCloser);
  const h = shiftOf(q, k);
  const power = powerAt(-k);
  const high = load<u64>(power), low = load<u64>(power, 8);
  const lower = roundToOdd(high, low, (4 * c - 2 + u64(isCloser)) << h) + odd;
  const middle = roundToOdd(high, low, (4 * c) << h);
  const upper = roundToOdd(high, low, (4 * c + 2) << h) - odd;
  choose(lower, middle, upper, k);
}

function findFloat(fraction: u32, exponent: i32): void {
  const c = exponent == 0 ? fraction : fraction | (<u32>1 << 23);
  const q = max(exponent, 1) - 150;
  if (findWhole(c, q, 24)) return;
  const odd = c & 1;
  const isCloser = fraction == 0 && exponent > 1;
  const k = exponentOf(q, isCloser);
  const h = shiftOf(q, k);
  const at = powerAt(-k);
  const power = load<u64>(at) + u64(load<u64>(at, 8) != 0);
  const lower = roundToOdd32(power, (4 * c - 2 + u32(isCloser)) << h) + odd;
  const middle = roundToOdd32(power, (4 * c) << h);
  const upper = roundToOdd32(power, (4 * c + 2) << h) - odd;
  choose(lower, middle, upper, k);
}

/** Selects the shortest decimal in the interval, and of two the closer one. */
@inline function choose(lower: u64, middle: u64, upper: u64, k: i32): void {
  exponent10 = k;
  const s = middle >> 2;
  if (s >= 10) {
    const tens = s / 10;
    const isDown = lower <= 40 * tens;
    const isUp = 40 * tens + 40 <= upper;
    if (isDown != isUp) {
      digits = tens + u64(isUp);
      exponent10 = k + 1;
      return;
    }
  }
  const isDown = lower <= 4 * s;
  const isUp = 4 * s + 4 <= upper;
  if (isDown != isUp) {
    digits = s + u64(isUp);
    return;
  }
  const half = 4 * s + 2;
  digits = s + u64(middle > half || (middle == half && (s & 1) != 0));
}

/** Writes what was found: without an exponent from 1e-4 to below 1e16, else as `1.5e-05`. */
function writeFound(out: usize): usize {
  let value = digits;
  let k = exponent10;
  while (value % 10 == 0) {
    value /= 10;
    k++;
  }
  let count: i32 = 1;
  for (let power: u64 = 10; value >= power && count < 18; power *= 10) count++;
  const exponent = count - 1 + k;
  if (exponent >= -4 && exponent < 16) return writeFixed(out, value, count, k);
  writePadded(out + 1, value, count);
  store<u8>(out, load<u8>(out + 1));
  if (count > 1) {
    store<u8>(out + 1, 46);
    out += count + 1;
  } else out += 1;
  store<u8>(out++, 101);
  store<u8>(out++, exponent < 0 ? 45 : 43);
  const size = <u32>abs(exponent);
  if (size >= 100) return writeU32(out, size);
  writeTwo(out, size);
  return out + 2;
}

function writeFixed(out: usize, value: u64, count: i32, k: i32): usize {
  if (k >= 0) {
    out = writePadded(out, value, count);
    for (let zeros = k; zeros > 0; zeros--) store<u8>(out++, 48);
    store<u16>(out, 0x302e); // ".0"
    return out + 2;
  }
  const exponent = count - 1 + k;
  if (exponent < 0) {
    store<u16>(out, 0x2e30); // "0."
    out += 2;
    for (let place: i32 = -1; place > exponent; place--) store<u8>(out++, 48);
    return writePadded(out, value, count);
  }
  writePadded(out + 1, value, count); // one to the right; then the digits before the point move back
  for (let place: i32 = 0; place <= exponent; place++) store<u8>(out + place, load<u8>(out + place + 1));
  store<u8>(out + exponent + 1, 46);
  return out + count + 1;
}

/** Doubles of at most 15 digits, 6 of them after the point, whose only text of at most 15 digits is the shortest. Returns 0 for others. */
@inline function writeEasyDouble(out: usize, value: f64): usize {
  const size = Math.abs(value);
  if (!(size < 1e9 && size >= 1e-4)) return 0;
  const millionths = nearest(size * 1e6);
  if (millionths / 1e6 != size) return 0;
  if (value < 0) {
    store<u8>(out, 45);
    out++;
  }
  const whole = <u64>millionths / 1_000_000;
  let fraction = <u32>(<u64>millionths - whole * 1_000_000);
  out = writeU32(out, <u32>whole);
  store<u8>(out, 46);
  if (fraction == 0) {
    store<u8>(out + 1, 48);
    return out + 2;
  }
  let places: u32 = 6;
  while (fraction % 10 == 0) {
    fraction /= 10;
    places--;
  }
  return writePadded(out + 1, fraction, places);
}

/** `NaN`, `Infinity` and `-Infinity`, in quotes for JSON. */
function writeWord(out: usize, value: f64, isJson: bool): usize {
  if (isJson) store<u8>(out++, 34);
  if (value != value) {
    store<u32>(out, 0x4e614e); // "NaN"
    out += 3;
  } else {
    if (value < 0) store<u8>(out++, 45);
    store<u64>(out, 0x7974696e69666e49); // "Infinity"
    out += 8;
  }
  if (isJson) store<u8>(out++, 34);
  return out;
}

function writeZero(out: usize): usize {
  store<u32>(out, 0x302e30); // "0.0"
  return out + 3;
}

@inline export function writeDouble(out: usize, value: f64, isJson: bool): usize {
  const end = writeEasyDouble(out, value);
  return end != 0 ? end : writeAnyDouble(out, value, isJson);
}

function writeAnyDouble(out: usize, value: f64, isJson: bool): usize {
  const bits = reinterpret<u64>(value);
  const fraction = bits & 0xfffffffffffff;
  const exponent = <i32>((bits >> 52) & 0x7ff);
  if (exponent == 0x7ff) return writeWord(out, value, isJson);
  if (bits >> 63) store<u8>(out++, 45);
  if (exponent == 0 && fraction == 0) return writeZero(out);
  findDouble(fraction, exponent);
  return writeFound(out);
}

export function writeFloat(out: usize, value: f32, isJson: bool): usize {
  const bits = reinterpret<u32>(value);
  const fraction = bits & 0x7fffff;
  const exponent = <i32>((bits >> 23) & 0xff);
  if (exponent == 0xff) return writeWord(out, value, isJson);
  if (bits >> 31) store<u8>(out++, 45);
  if (exponent == 0 && fraction == 0) return writeZero(out);
  findFloat(fraction, exponent);
  return writeFound(out);
}
