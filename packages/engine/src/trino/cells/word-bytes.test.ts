import { describe, expect, it } from '@jest/globals';
import { commasOf, endsOfPlainText, indexOfFirst, WORD_BYTES } from './word-bytes.ts';

const NEIGHBOURS = [0x00, 0x1f, 0x20, 0x21, 0x22, 0x23, 0x2b, 0x2c, 0x2d, 0x5b, 0x5c, 0x5d, 0x7f, 0x80, 0xa2, 0xff];

const bytesOf = (byte: number, place: number, neighbour: number): Buffer => {
  const bytes = Buffer.alloc(WORD_BYTES, neighbour);
  bytes[place] = byte;
  return bytes;
};

/** Returns the first of the bytes with this property, or undefined: by each byte, and by word. */
const firstBy = (bytes: Buffer, isOne: (byte: number) => boolean): number | undefined => {
  const index = bytes.findIndex(isOne);
  return index === -1 ? undefined : index;
};
const firstIn = (highBits: number): number | undefined => (highBits === 0 ? undefined : indexOfFirst(highBits));

describe('four bytes checked as one word', () => {
  it('have their first end of plain text, and their first comma, where single bytes have it, whatever the others are', () => {
    const isEnd = (byte: number): boolean => byte === 0x22 || byte === 0x5c || byte < 0x20;
    const isComma = (byte: number): boolean => byte === 0x2c;
    const wrong: Buffer[] = [];
    for (const neighbour of NEIGHBOURS) {
      for (let byte = 0; byte < 256; byte += 1) {
        for (let place = 0; place < WORD_BYTES; place += 1) {
          const bytes = bytesOf(byte, place, neighbour);
          const word = bytes.readInt32LE(0);
          const ends = endsOfPlainText(word);
          const commas = commasOf(word);
          const isRight =
            firstIn(ends) === firstBy(bytes, isEnd) &&
            firstIn(commas) === firstBy(bytes, isComma) &&
            firstIn(ends | commas) === firstBy(bytes, (one) => isEnd(one) || isComma(one));
          if (!isRight) wrong.push(bytes);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});
