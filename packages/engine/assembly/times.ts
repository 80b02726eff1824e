/** Text of dates, times and timestamps as in docs/values.md. Each function writes at `out` and returns the address after the text. */
import { writeFour, writePadded, writeTwo, writeU64 } from './digits';

/** Days from 1970-01-01 to 0001-01-01 and to 9999-12-31: years of four digits without a sign. */
const COMMON_DAY_MIN: i64 = -719_162;
const COMMON_DAY_MAX: i64 = 2_932_896;
const DAY_SECONDS: i64 = 86_400;
const DAY_MICROSECONDS: i64 = 86_400_000_000;
/** Any day that is not a common one. */
export const NO_DAY: i32 = i32.MAX_VALUE;

/** Ten bytes of a common day (Neri and Schneider, "Euclidean affine functions and their application to calendar algorithms"). */
@inline function writeCommonDay(out: usize, days: i32): void {
  const n1 = 4 * <u32>(days + 719_468) + 3;
  const century = n1 / 146_097;
  const n2 = 4 * ((n1 - century * 146_097) >> 2) + 3;
  const p2 = <u64>2_939_745 * n2;
  const yearOfCentury = <u32>(p2 >> 32);
  const dayOfYear = <u32>p2 / 2_939_745 / 4;
  const n3 = 2_141 * dayOfYear + 197_913;
  const isNextYear = <u32>(dayOfYear >= 306);
  writeFour(out, 100 * century + yearOfCentury + isNextYear);
  store<u8>(out + 4, 45);
  writeTwo(out + 5, (n3 >> 16) - 12 * isNextYear);
  store<u8>(out + 7, 45);
  writeTwo(out + 8, (n3 & 0xffff) / 2_141 + 1);
}

/**
 * A day with the year of ISO 8601, expanded where it is not of four digits (`-0043`, `0000`, `+12020`). The calendar is the
 * algorithm `civil_from_days` of Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
 */
function writeDay(out: usize, days: i64): usize {
  if (days >= COMMON_DAY_MIN && days <= COMMON_DAY_MAX) {
    writeCommonDay(out, <i32>days);
    return out + 10;
  }
  const shifted = days + 719_468;
  const era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097;
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
  const dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
  const monthFromMarch = (5 * dayOfYear + 2) / 153;
  const day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  let year = yearOfEra + era * 400 + i64(month <= 2);
  if (year < 0) {
    store<u8>(out++, 45);
    year = -year;
  } else if (year > 9_999) store<u8>(out++, 43);
  if (year < 10_000) {
    writeFour(out, <u32>year);
    out += 4;
  } else out = writeU64(out, <u64>year);
  store<u8>(out, 45);
  writeTwo(out + 1, <u32>month);
  store<u8>(out + 3, 45);
  writeTwo(out + 4, <u32>day);
  return out + 6;
}

function writeInfinity(out: usize, isNegative: bool): usize {
  if (isNegative) store<u8>(out++, 45);
  store<u64>(out, 0x7974696e69666e69); // "infinity"
  return out + 8;
}

export function writeDate(out: usize, days: i32): usize {
  if (days == i32.MAX_VALUE || days == -i32.MAX_VALUE) return writeInfinity(out, days < 0);
  return writeDay(out, days);
}

/** Eight bytes of seconds since midnight; 86,400 is `24:00:00`. */
@inline function writeClock(out: usize, seconds: u32): void {
  const hours = seconds / 3_600;
  const rest = seconds - hours * 3_600;
  const minutes = rest / 60;
  writeTwo(out, hours);
  store<u8>(out + 2, 58);
  writeTwo(out + 3, minutes);
  store<u8>(out + 5, 58);
  writeTwo(out + 6, rest - minutes * 60);
}

@inline function writeFraction(out: usize, ticks: u64, digits: u32): usize {
  if (digits == 0) return out;
  store<u8>(out, 46);
  return writePadded(out + 1, ticks, digits);
}

/** A time of day in ticks since midnight; `power` is ten to the power of `digits`. */
export function writeTime(out: usize, ticks: i64, digits: u32, power: u64): usize {
  const seconds = <u64>ticks / power;
  writeClock(out, <u32>seconds);
  return writeFraction(out + 8, <u64>ticks - seconds * power, digits);
}

/** A timestamp in ticks since 1970-01-01; `power` is ten to the power of `digits`. */
export function writeTimestamp(out: usize, ticks: i64, digits: u32, power: u64): usize {
  if (ticks == i64.MAX_VALUE || ticks == -i64.MAX_VALUE) return writeInfinity(out, ticks < 0);
  let seconds = ticks / <i64>power;
  let fraction = ticks - seconds * <i64>power;
  if (fraction < 0) {
    seconds--;
    fraction += <i64>power;
  }
  let day = seconds / DAY_SECONDS;
  let rest = seconds - day * DAY_SECONDS;
  if (rest < 0) {
    day--;
    rest += DAY_SECONDS;
  }
  out = writeDay(out, day);
  store<u8>(out, 32);
  writeClock(out + 1, <u32>rest);
  return writeFraction(out + 9, <u64>fraction, digits);
}

/**
 * A timestamp in microseconds since 1970-01-01. Neighbouring rows often have the same day, so the text of the day that was written
 * last is kept at `lastText` (16 bytes, of which 11 are used) and copied. The day is found by a division of doubles, because one of
 * 64-bit integers costs several times as much.
 */
@inline export function writeMicroseconds(out: usize, ticks: i64, lastDay: usize, lastText: usize): usize {
  let day = <i64>Math.floor(<f64>ticks / 86_400_000_000.0);
  let rest = ticks - day * DAY_MICROSECONDS;
  if (rest < 0) {
    day--;
    rest += DAY_MICROSECONDS;
  } else if (rest >= DAY_MICROSECONDS) {
    day++;
    rest -= DAY_MICROSECONDS;
  }
  if (day < COMMON_DAY_MIN || day > COMMON_DAY_MAX) return writeTimestamp(out, ticks, 6, 1_000_000);
  if (load<i32>(lastDay) != <i32>day) {
    writeCommonDay(lastText, <i32>day);
    store<u8>(lastText + 10, 32);
    store<i32>(lastDay, <i32>day);
  }
  v128.store(out, v128.load(lastText));
  const seconds = <u32>(<u64>rest / 1_000_000);
  const fraction = <u32>(rest - <i64>seconds * 1_000_000);
  writeClock(out + 11, seconds);
  store<u8>(out + 19, 46);
  const high = fraction / 100;
  writeFour(out + 20, high);
  writeTwo(out + 24, fraction - high * 100);
  return out + 26;
}
