import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CELL_CHARACTERS, cellText, fullText, isAlignedRight, visibleParts } from './cell-text.ts';

const shown = (json: string) => {
  const cell = cellText(json);
  return cell.kind === 'text' ? cell.parts.map(({ text }) => text).join('') : cell.kind;
};
const INVISIBLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

describe('cellText', () => {
  it('keeps NULL, the empty string and strings that look like them apart', () => {
    expect(['null', '""', '"null"', '"NULL"', '" "'].map((json) => cellText(json))).toEqual([
      { kind: 'null' },
      { kind: 'empty' },
      { kind: 'text', parts: [{ text: 'null' }], isShortened: false },
      { kind: 'text', parts: [{ text: 'NULL' }], isShortened: false },
      { kind: 'text', parts: [{ text: ' ' }], isShortened: false },
    ]);
  });

  it.each([
    ['250.00', '250.00'],
    ['9223372036854775807', '9223372036854775807'],
    ['-0.0', '-0.0'],
    ['"NaN"', 'NaN'],
    ['{"b":1.50,"a":"x"}', '{"b":1.50,"a":"x"}'],
    ['"a \\"quoted\\" text"', 'a "quoted" text'],
    ['"<img src=x onerror=alert(1)>"', '<img src=x onerror=alert(1)>'],
    ['"a\\u0000b"', 'aNULb'],
    ['"a\\nb\\tc\\r"', 'a↵b⇥cCR'],
    ['"\\u001b[31mred"', 'ESC[31mred'],
    ['"abc\\u202Etxt.exe"', 'abcU+202Etxt.exe'],
    ['"\\ud800"', 'U+D800'],
    ['"👩‍👩‍👧"', '👩‍👩‍👧'],
  ])('shows %s as %s', (json, text) => expect(shown(json)).toBe(text));

  it('never shows a character that is invisible or moves its surroundings', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => expect(shown(JSON.stringify(text))).not.toMatch(INVISIBLE)),
    );
  });

  it('marks the signs, so that they differ from the same signs in the data', () => {
    expect(visibleParts('NUL\0')).toEqual([{ text: 'NUL' }, { text: 'NUL', codePoint: 0 }]);
  });

  it('joins the lines of a statement to one, and still marks what is invisible', () => {
    expect(visibleParts('\n  SELECT 1,\r\n\t2\n\nFROM t\n', 'join')).toEqual([{ text: 'SELECT 1, 2 FROM t' }]);
    expect(visibleParts('a\n\0', 'join')).toEqual([{ text: 'a ' }, { text: 'NUL', codePoint: 0 }]);
  });

  it('shows the beginning of a long string, and says that it is shortened', () => {
    const unit = fc.constantFrom('a', '"', '\\', '\n', 'é', '😀', '\0');
    fc.assert(
      fc.property(fc.array(unit, { minLength: 150, maxLength: 600 }), (units) => {
        const text = units.join('');
        const cell = cellText(JSON.stringify(text));
        if (cell.kind !== 'text') throw new Error('Expected a string.');
        const { length } = cell.parts
          .map(({ text: part, codePoint }) => (codePoint === undefined ? part : String.fromCodePoint(codePoint)))
          .join('');
        expect(cell.isShortened).toBe(length < text.length);
        expect(length).toBeGreaterThanOrEqual(Math.min(text.length, CELL_CHARACTERS - 1));
      }),
    );
  });

  it('shows a nested value of any length without its rest', () => {
    expect(cellText(`[${'1,'.repeat(1_000_000)}1]`)).toMatchObject({ isShortened: true });
  });
});

describe('visibleParts', () => {
  it('leaves tabs and line ends to an element that preserves them', () => {
    expect(visibleParts('a\tb\r\nc\rd\0', 'preserve').map(({ text }) => text)).toEqual(['a\tb\r\nc', 'CR', 'd', 'NUL']);
  });
});

it('fullText returns every character of a string', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => expect(fullText(JSON.stringify(text))).toBe(text)));
});

it('isAlignedRight is true for numbers only', () => {
  expect(
    ['bigint', 'decimal(5,2)', 'double', 'varchar', 'date', 'array(integer)', 'boolean'].map(isAlignedRight),
  ).toEqual([true, true, true, false, false, false, false]);
});
