import { describe, expect, it } from '@jest/globals';
import { LONG_STRING, TEXT_CELL, xmlText } from '@sluice/encoders';
import fc from 'fast-check';
import { sheetTextPieces } from './sheet-text-pieces.ts';

function written(text: string, pieceBytes: number): string {
  const bytes = Buffer.from(text);
  const pieces = function* (): Generator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  };
  return Buffer.concat([...sheetTextPieces(pieces)]).toString('utf8');
}

const cell = (text: string): string =>
  `${TEXT_CELL.openPreserved}${LONG_STRING.open}${xmlText(text)}${LONG_STRING.close}${TEXT_CELL.close}`;

const FRAGMENTS = [
  '_x0041_',
  '_x',
  '_',
  'x0041_',
  '&<>',
  '\r',
  '\n',
  '\u0000',
  '\u001f',
  '\ufffe',
  '\uffff',
  '\ufffd',
  'é😀',
];

describe('sheetTextPieces', () => {
  it('writes any text as xmlText does, wherever its pieces end', () => {
    const texts = fc.array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string({ unit: 'binary' })), { maxLength: 8 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 9 }), (parts, pieceBytes) => {
        const text = parts.join('').toWellFormed();
        expect(written(text, pieceBytes)).toBe(cell(text));
      }),
    );
  });
});
