import { describe, expect, it } from '@jest/globals';
import { caselessKey } from './case-folding.ts';
import { tagKey } from './tag.ts';

/** Surrogates, unassigned code points, and the large scripts that have no case. */
const CASELESS = /[\p{C}\p{Script=Han}\p{Script=Hangul}]/u;

describe('caselessKey', () => {
  it.each([
    ['sharp s', 'Straße', 'STRASSE', 'straſſe', 'STRAẞE'],
    ['ligatures', 'ﬁne', 'FINE', 'fine'],
    ['three letters in one', 'oﬃce', 'OFFICE'],
    ['final sigma', 'ΟΔΟΣ', 'οδος', 'οδοσ'],
    ['iota subscript', 'ᾳ', 'ᾼ', 'αι', 'ΑΙ'],
    ['both ways to write an accent', 'Größe', 'Gro\u0308ße', 'GRÖSSE'],
    ['I with a dot', 'İ', 'i\u0307'],
    ['Armenian ech-yiwn', 'և', 'ԵՒ'],
    ['Cherokee', 'Ꭰ', 'ꭰ'],
    ['Kelvin and angstrom signs', '\u212a\u212b', 'kå'],
    ['n after an apostrophe', 'ŉ', 'ʼN'],
  ])('is equal for %s', (_name, ...strings) => {
    expect(strings.map(caselessKey)).toEqual(strings.map(() => caselessKey(strings[0] ?? '')));
  });

  it('differs for dotless i, accents and other letters', () => {
    const strings = ['i', 'ı', 'İ', 'a', 'ä', 'ae', 's', 'ss', 'o', 'ø'];
    expect(new Set(strings.map(caselessKey)).size).toBe(strings.length);
  });

  it('is idempotent, and equal for a character and its upper and lower case, except for dotless i', () => {
    for (let codePoint = 0; codePoint < 0x110000; codePoint += 1) {
      const character = String.fromCodePoint(codePoint);
      if (character === 'ı' || CASELESS.test(character)) continue;
      const key = caselessKey(character);
      const others = [key, character.toLowerCase(), character.toUpperCase()];
      const differing = others.filter((other) => caselessKey(other) !== key);
      if (differing.length > 0) throw new Error(`${character} has the key ${key}, unlike ${differing}`);
    }
  });
});

it('makes two spellings of a tag equal', () => {
  expect(tagKey(' Straße ')).toBe(tagKey('STRASSE'));
});
