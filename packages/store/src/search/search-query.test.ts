import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Choice, driverOf, editsOf, type SearchTerms, tiersOf } from './search-query.ts';

const termsOf = (choices: readonly Choice[], nameKey = 'x'): SearchTerms => ({
  tenantId: randomUUID(),
  type: 'TABLE',
  choices,
  nameKey,
});

const prefixesOf = (words: number): number[] => {
  const choices = Array.from({ length: words }, (_, index) => [`word${index}`]);
  return tiersOf(termsOf(choices)).map((query) => query.split(':*').length - 1);
};

describe('tiersOf', () => {
  it('ranks by word prefixes, and a long query by whole words, so that it does not search a prefix for each word', () => {
    expect(prefixesOf(1)).toEqual([0, 1, 1, 2, 3, 2]);
    expect(prefixesOf(8)).toEqual([0, 1, 1, 9, 17, 2]);
    expect(prefixesOf(9)).toEqual([0, 1, 1, 1, 1, 1]);
  });

  it('accepts any replacement of a word, and requires all words', () => {
    const [, , whole] = tiersOf(termsOf([['flihgts', 'flights'], ['delay']]));
    expect(whole).toMatch(/^\('[^']*x':\* \| \(\('[^']*flihgts' \| '[^']*flights'\) & '[^']*delay'\)\)$/);
  });

  it('looks for names, and for names with their schema if the text has a dot, with quotes and backslashes escaped', () => {
    const of = (nameKey: string) => tiersOf(termsOf([['a']], nameKey))[0]?.replaceAll(/'[\w-]{4}\w{4}T/g, "'");
    expect(of('flights')).toMatch(/^'[^']*4flights'$/);
    expect(of('vega.flights')).toMatch(/^\('[^']*4vega\.flights' \| '[^']*5vega\.flights'\)$/);
    expect(of("o'n\\x")).toMatch(/4o''n\\\\x'$/);
  });
});

describe('driverOf', () => {
  it('contains all words but the last as whole words or parts of names', () => {
    expect(driverOf(termsOf([['flights']]))).toBeNull();
    const driver = driverOf(termsOf([['flights'], ['by'], ['air']]));
    expect(driver).toMatch(/^\('[^']*0flights' \| '[^']*3flights'\) & '[^']*0by'$/);
  });
});

/** Returns whether one insertion, deletion, replacement or swap of neighbours turns one word into the other. */
const isOneEdit = (one: string, other: string): boolean => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length === 1) {
    return [...long].some((_, at) => long.slice(0, at) + long.slice(at + 1) === short);
  }
  if (long.length !== short.length) return false;
  const different = [...long].flatMap((letter, at) => (letter === short[at] ? [] : [at]));
  const [first = 0, second = 0] = different;
  if (different.length === 1) return true;
  return (
    different.length === 2 && second === first + 1 && long[first] === short[second] && long[second] === short[first]
  );
};

const anyWord = fc.string({ unit: fc.constantFrom('a', 'b', 'z', '7'), minLength: 1, maxLength: 6 });

describe('editsOf', () => {
  it('returns exactly the words that are one typo away', () => {
    fc.assert(
      fc.property(anyWord, anyWord, (word, other) => {
        expect(editsOf(word).includes(other)).toBe(isOneEdit(word, other));
      }),
    );
  });

  it('returns each word once, and neither the word itself nor an empty one', () => {
    fc.assert(
      fc.property(anyWord, (word) => {
        const edits = editsOf(word);
        expect(new Set(edits).size).toBe(edits.length);
        expect(edits.every((edit) => edit !== '' && isOneEdit(word, edit))).toBe(true);
      }),
    );
  });
});
