/** Tables in memory, filled by `fillTables` and, for powers of ten, by the caller. Addresses are below the memory base of the compiler. */

/** "00" to "99", two bytes each. */
export const PAIRS: usize = 1_024;
/** "0000" to "9999", four bytes each. */
export const QUADS: usize = 2_048;
/** Powers of ten from 10^-292 to 10^324 as 128 bits, most significant half first. The caller writes them. */
export const POWERS: usize = 43_008;
export const POWER_MIN: i32 = -292;
/** Room for the text of one value, after the powers of ten. */
export const SCRATCH: usize = 53_248;

export function fillTables(): void {
  for (let value: u32 = 0; value < 100; value++) {
    store<u8>(PAIRS + value * 2, 48 + <u8>(value / 10));
    store<u8>(PAIRS + value * 2 + 1, 48 + <u8>(value % 10));
  }
  for (let value: u32 = 0; value < 10_000; value++) {
    store<u16>(QUADS + value * 4, load<u16>(PAIRS + (value / 100) * 2));
    store<u16>(QUADS + value * 4 + 2, load<u16>(PAIRS + (value % 100) * 2));
  }
}
