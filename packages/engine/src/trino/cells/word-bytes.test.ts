import { describe, expect, it } from '@jest/globals';
import { endsPlainText, holdsComma, WORD_BYTES } from './word-bytes.ts';

const NEIGHBOURS = [0x00, 0x1f, 0x20, 0x21, 0x22, 0x23, 0x2b, 0x2c, 0x2d, 0x5b, 0x5c, 0x5d, 0x7f, 0x80, 0xa2, 0xff];

const bytesOf = (byte: number, place: number, neighbour: number): Buffer => {
  const bytes = Buffer.alloc(WORD_BYTES, neighbour);
  bytes[place] = byte;
  return bytes;
};

describe('four bytes looked at as one word', () => {
  it('end plain text where one of them does by itself, at each place, whatever the others are', () => {
    const endsIt = (byte: number): boolean => byte === 0x22 || byte === 0x5c || byte < 0x20;
    const wrong: Buffer[] = [];
    for (const neighbour of NEIGHBOURS) {
      for (let byte = 0; byte < 256; byte += 1) {
        for (let place = 0; place < WORD_BYTES; place += 1) {
          const bytes = bytesOf(byte, place, neighbour);
          const word = bytes.readInt32LE(0);
          const isRight = endsPlainText(word) === bytes.some(endsIt) && holdsComma(word) === bytes.includes(0x2c);
          if (!isRight) wrong.push(bytes);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});
