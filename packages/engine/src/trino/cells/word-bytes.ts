/** Bytes are looked at four at a time, as the signed 32-bit integers that JavaScript computes with fastest. */
export const WORD_BYTES = 4;

const COMMAS = 0x2c2c2c2c;
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;
const SPACES = 0x20202020;
const ONES = 0x01010101;
const HIGH_BITS = 0x80808080 | 0;

/**
 * The high bits of a word's bytes that are the one which `bytes` repeats: 0 when none is. The lowest is that of the first such byte;
 * those above it may be another byte's (the bit trick for a zero byte, after an exclusive or).
 */
const those = (word: number, bytes: number): number => {
  const difference = word ^ bytes;
  return (difference - ONES) & ~difference & HIGH_BITS;
};

/** The high bits, as above, of a word's commas. */
export const commasOf = (word: number): number => those(word, COMMAS);

/** The high bits, as above, of a word's quotes, backslashes and control characters. */
export const endsOfPlainText = (word: number): number =>
  those(word, QUOTES) | those(word, BACKSLASHES) | ((word - SPACES) & ~word & HIGH_BITS);

/** Which of the four bytes the lowest of these high bits is of, from 0. */
export const placeOfFirst = (highBits: number): number => (31 - Math.clz32(highBits & -highBits)) >> 3;
