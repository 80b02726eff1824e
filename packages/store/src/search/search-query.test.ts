import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { driverOf, editsOf, tiersOf } from './search-query.ts';

const prefixesOf = (words: number): number[] => {
  const choices = Array.from({ length: words }, (_, index) => [`word${index}`]);
  return tiersOf(randomUUID(), 'DATAMAP', choices).map((query) => query.split(':*').length - 1);
};

describe('tiersOf', () => {
  it('ranks by word prefixes, and a long query by whole words, so that it does not search a prefix for each word', () => {
    expect(prefixesOf(1)).toEqual([0, 1, 1, 1]);
    expect(prefixesOf(8)).toEqual([0, 8, 8, 1]);
    expect(prefixesOf(9)).toEqual([0, 0, 0, 1]);
  });

  it('accepts any replacement of a word, and requires all words', () => {
    const [exact] = tiersOf(randomUUID(), 'TABLE', [['flihgts', 'flights'], ['delay']]);
    expect(exact).toMatch(/^\('[^']*flihgts' \| '[^']*flights'\) & \('[^']*delay'\)$/);
  });
});

describe('driverOf', () => {
  it('contains all words but the last as whole words', () => {
    expect(driverOf(randomUUID(), 'TABLE', [['flights']])).toBeNull();
    const driver = driverOf(randomUUID(), 'TABLE', [['flights'], ['delay'], ['air']]);
    expect(driver).toMatch(/^\('[^']*flights'\) & \('[^']*delay'\)$/);
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
