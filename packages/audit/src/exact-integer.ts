/** Integer of the database as it is: a bigint where a number would be rounded, which only a forged position is. */
export type ExactInteger = number | bigint;

/** Reads the digits of an integer. */
export function exactInteger(digits: string): ExactInteger {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}
