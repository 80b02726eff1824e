import { expect, it } from '@jest/globals';
import { visibleLine, visibleText, withoutUnsafe } from './visible-text.ts';

it.each([
  ['an escape sequence', 'a\u001b]52;c;eA==\u0007b', 'a\\u001b]52;c;eA==\\u0007b'],
  ['a soft hyphen', 'pay\u00adpal', 'pay\\u00adpal'],
  ['a zero-width space', 'ad\u200bmin', 'ad\\u200bmin'],
  ['a word joiner', 'ad\u2060min', 'ad\\u2060min'],
  ['tag characters', 'a\u{e0001}\u{e0041}\u{e007f}b', 'a\\udb40\\udc01\\udb40\\udc41\\udb40\\udc7fb'],
  ['a right-to-left override', 'gpj\u202eexe', 'gpj\\u202eexe'],
  ['half of a surrogate pair', 'a\ud83db', 'a\\ud83db'],
])('shows %s', (_what, text, shown) => {
  expect([visibleText(text), visibleLine(text)]).toEqual([shown, shown]);
  expect(withoutUnsafe(text)).not.toBe(text);
});

it('leaves letters of every script, emoji and their joiners unchanged', () => {
  const text = 'Zoë 日本語 नमस्\u200dते می\u200cخواهم 👩\u200d👩\u200d👧 🏳️‍🌈';
  expect([visibleText(text), visibleLine(text), withoutUnsafe(text)]).toEqual([text, text, text]);
});

it('keeps line feeds and tabs of a text, and shows those of a line', () => {
  expect([visibleText('a\n\tb\r'), visibleLine('a\n\tb\r')]).toEqual(['a\n\tb\\r', 'a\\n\\tb\\r']);
});
