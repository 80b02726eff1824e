/** Reads the digits of a `bigint`. Throws for one that a number would round: no host writes such a value. */
export function safeInteger(digits: string): number {
  const number = Number(digits);
  if (!Number.isSafeInteger(number)) throw new RangeError(`a bigint of the database is out of range: ${digits}`);
  return number;
}
