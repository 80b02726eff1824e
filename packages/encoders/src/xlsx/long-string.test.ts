import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { xmlText } from './cell-xml.ts';
import { cutAt, LongString, TRUNCATION_NOTE } from './long-string.ts';
import { CELL_CHARACTERS_MAX } from './sheet-limits.ts';

function shortened(xml: string, pieceBytes: number): { readonly cell: string; readonly parts: readonly string[] } {
  const cells: string[] = [];
  const parts: string[] = [];
  const text = new LongString({ shorten: (cell) => cells.push(cell), overflow: (part) => parts.push(part) });
  const bytes = Buffer.from(xml);
  for (let at = 0; at < bytes.length; at += pieceBytes) text.push(bytes.subarray(at, at + pieceBytes));
  text.end();
  expect(cells).toHaveLength(1);
  return { cell: cells[0] ?? '', parts };
}

describe('LongString', () => {
  it('keeps a string that fits a cell', () => {
    const xml = 'é'.repeat(CELL_CHARACTERS_MAX);
    expect(shortened(xml, 1_000)).toEqual({ cell: xml, parts: [] });
  });

  it.each([1_000, 4_097, 1_000_000])(
    'cuts a longer text in its cell, and passes on all of it (pieces of %i)',
    (bytes) => {
      const xml = xmlText('a&😀_x0041_'.repeat(9_000));
      const { cell, parts } = shortened(xml, bytes);
      expect(parts.join('')).toBe(xml);
      expect(parts.length).toBeGreaterThan(1);
      expect(cell.endsWith(TRUNCATION_NOTE)).toBe(true);
      expect(xml.startsWith(cell.slice(0, -TRUNCATION_NOTE.length))).toBe(true);
    },
  );
});

it('keeps a character that ends exactly where a cell is full', () => {
  const xml = `${'a'.repeat(CELL_CHARACTERS_MAX - 2)}😀${'b'.repeat(CELL_CHARACTERS_MAX - 2)}😀c`;
  const { cell, parts } = shortened(xml, 10_000);
  expect(parts.map((part) => part.isWellFormed())).toEqual(parts.map(() => true));
  expect([parts.join(''), cell.isWellFormed()]).toEqual([xml, true]);
});

describe('cutAt', () => {
  it('cuts after a surrogate pair that fits, and before one that does not', () => {
    expect([cutAt('😀a', 2), cutAt('a😀', 2), cutAt('😀', 1)]).toEqual([2, 1, 0]);
  });

  it('never cuts inside a reference, an escape or a surrogate pair', () => {
    const piece = fc.constantFrom('a', '&amp;', '&#13;', '😀', '_x0000_', '_x005F_x', '_', 'é');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.nat(20), (pieces, charactersMax) => {
        const xml = pieces.join('');
        const at = cutAt(xml, charactersMax);
        const [head, rest] = [xml.slice(0, at), xml.slice(at)];
        expect(head).toMatch(/^(?:[^&]|&[#\w]+;)*$/);
        expect(rest).not.toMatch(/^(?:amp|#13)?;/);
        expect([head.isWellFormed(), rest.isWellFormed()]).toEqual([true, true]);
        expect(head.replaceAll(/&[#\w]+;/g, '.').length).toBeLessThanOrEqual(charactersMax);
      }),
    );
  });
});
