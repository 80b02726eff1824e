import fc from 'fast-check';
import { type RepeatedText, type Sizes, sizesOf } from './find-nonlinear-growth.ts';

/** Tokens with which parsers open, close, escape and separate. Repeated, unterminated or combined, each may cause useless look-ahead. */
const FRAGMENTS = [
  ...['/*', '*/', '/* ', '--', '\n', '\r', ' ', '\t', "'", "''", '"', '""', '`', '\\', "\\'", '\\"', "e'", 'U&"', "x'"],
  ...['$', '$$', '$tag$', '$a', '(', ')', '[', ']', '{', '}', '.', '..', ',', ';', ':', '=', '&', '%', '%41', '+', '-'],
  ...['a', '1', '1.', '1e', '0x', '_', '<', '>', '|', '#', '@', '!', '~', '^', '?', '/', '//', '\u0000', '\u2028'],
  ...['é', '\u0315\u0300', '\u0301', 'ſ', 'ß', '😀', '\ud800', '\u00a0', '\ufeff'],
  ...['SELECT ', 'FROM ', 'WITH ', 'TABLE(', 'EXPLAIN ', 'TRIM(', 'DISTINCT ', 'a.b.c ', 'a AS b, '],
  ...['To ', 'Use ', 'SET a', 'Filename(s):', '"Filename(s)": ', 'Filename(s):\\n', '\\n─', '│', '┘', '─'],
  ...['<div class="sub-title">Filename(s)</div>', '<div class="value">', '</div>', '\tFilename(s): ', '`'],
  ...['eyJabcde', 'eyJ-', 'Bearer ', 'Basic ', '?token=', 'charset=', 'line 1:1: ', '- ', '? ', '&a ', '*a ', '! '],
] as const;

const some = (max: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...FRAGMENTS), { minLength: 0, maxLength: max }).map((parts) => parts.join(''));

/** Strings that repeat up to four fragments between other fragments. */
const combined: fc.Arbitrary<RepeatedText> = fc.record({
  before: some(2),
  period: some(4).filter((text) => text !== ''),
  after: some(2),
});

/** Returns hostile inputs for `findNonlinearGrowth`: each fragment repeated alone, and a number of random combinations. */
export const repeatedStrings = (combinations: number): readonly Sizes<string>[] =>
  [...FRAGMENTS.map((period) => ({ before: '', period, after: '' })), ...fc.sample(combined, combinations)].map(
    sizesOf,
  );
