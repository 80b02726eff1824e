/** Bytes are checked four at a time, as the signed 32-bit integers with which JavaScript computes fastest. */
export const WORD_BYTES = 4;

const COMMAS = 0x2c2c2c2c;
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;
const SPACES = 0x20202020;
const ONES = 0x01010101;
const HIGH_BITS = 0x80808080 | 0;

/**
 * Returns the high bits of the bytes of a word that equal the byte repeated in `bytes`; 0 if there is none. The lowest bit
 * belongs to the first such byte; higher ones may be wrong (the bit trick for a zero byte, after an exclusive or).
 */
const matchingBytes = (word: number, bytes: number): number => {
  const difference = word ^ bytes;
  return (difference - ONES) & ~difference & HIGH_BITS;
};

/** Returns the high bits, as above, of a word's commas. */
export const commasOf = (word: number): number => matchingBytes(word, COMMAS);

/** Returns the high bits, as above, of a word's quotes, backslashes and control characters. */
export const endsOfPlainText = (word: number): number =>
  matchingBytes(word, QUOTES) | matchingBytes(word, BACKSLASHES) | ((word - SPACES) & ~word & HIGH_BITS);

/** Returns the index from 0 of the byte with the lowest of these high bits. */
export const indexOfFirst = (highBits: number): number => (31 - Math.clz32(highBits & -highBits)) >> 3;
