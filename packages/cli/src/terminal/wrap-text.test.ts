import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { displayWidth } from './display-width.ts';
import { wrapText } from './wrap-text.ts';

it('breaks lines between words, and indents all but the first', () => {
  expect(wrapText('one two three four five six', 22, 2)).toBe('one two three four\n  five six');
  expect(wrapText('  a list\n\n  of lines', 80)).toBe('  a list\n\n  of lines');
});

it('counts wide characters as two columns, and keeps words that are longer than a line', () => {
  expect(wrapText('日本語文 日本語文 日本語文 日本語文', 20)).toBe('日本語文 日本語文\n日本語文 日本語文');
  expect(wrapText(`see https://example.com/${'x'.repeat(30)} now`, 20)).toBe(
    `see\nhttps://example.com/${'x'.repeat(30)}\nnow`,
  );
});

it('loses no word, and writes no line that is wider than the terminal', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'é', '日', '😀', ','), minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), fc.integer({ min: 20, max: 60 }), (words, columns) => {
      const wrapped = wrapText(words.join(' '), columns);
      expect(wrapped.split(/\s+/).filter(Boolean)).toEqual(words);
      for (const line of wrapped.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    }),
  );
});
