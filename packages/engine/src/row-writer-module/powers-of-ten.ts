/** Exponents that Schubfach needs for DOUBLE. */
const EXPONENT_MIN = -292;
const EXPONENT_MAX = 324;
const BITS = 128;
const HALF = 64n;

/**
 * Calls `write` for each power of ten with its 128 most significant bits, rounded up where they are not exact (Giulietti, "The
 * Schubfach way to render doubles", section 9.5).
 */
export function powersOfTen(write: (index: number, high: bigint, low: bigint) => void): void {
  for (let exponent = EXPONENT_MIN; exponent <= EXPONENT_MAX; exponent += 1) {
    const bits = significantBits(exponent);
    write(exponent - EXPONENT_MIN, bits >> HALF, BigInt.asUintN(64, bits));
  }
}

function significantBits(exponent: number): bigint {
  const power = 10n ** BigInt(Math.abs(exponent));
  const length = power.toString(2).length;
  if (exponent < 0) return (1n << BigInt(BITS - 1 + length)) / power + 1n;
  const shift = BigInt(BITS - length);
  return shift >= 0n ? power << shift : (power >> -shift) + 1n;
}
