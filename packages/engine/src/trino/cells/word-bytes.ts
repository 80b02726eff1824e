/** Bytes are looked at four at a time, as the signed 32-bit integers that JavaScript computes with fastest. */
export const WORD_BYTES = 4;

const COMMAS = 0x2c2c2c2c;
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;
const SPACES = 0x20202020;
const ONES = 0x01010101;
const HIGH_BITS = 0x80808080 | 0;

/** Whether one of a word's four bytes is the one that `bytes` repeats (the bit trick for a zero byte, after an exclusive or). */
const holds = (word: number, bytes: number): boolean => {
  const difference = word ^ bytes;
  return ((difference - ONES) & ~difference & HIGH_BITS) !== 0;
};

/** Whether one of a word's four bytes is a comma. */
export const holdsComma = (word: number): boolean => holds(word, COMMAS);

/** Whether one of a word's four bytes is a quote, a backslash or a control character. */
export const endsPlainText = (word: number): boolean =>
  holds(word, QUOTES) || holds(word, BACKSLASHES) || ((word - SPACES) & ~word & HIGH_BITS) !== 0;
