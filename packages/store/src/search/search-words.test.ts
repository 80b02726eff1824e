import { expect, it } from '@jest/globals';
import { findNonlinearGrowth, repeatedTexts } from '@sluice/testkit';
import { wordsOf } from './search-words.ts';

it('splitting takes time linear in the text, whatever it repeats', () => {
  expect(
    repeatedTexts(40)
      .map((text) => findNonlinearGrowth(wordsOf, text))
      .find(Boolean),
  ).toBeUndefined();
});

it('a word keeps its letters under more accents than any language has', () => {
  expect(wordsOf(`gro${'\u0308'.repeat(100)}ße`)).toEqual(wordsOf('GRÖSSE'));
});
