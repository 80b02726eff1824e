import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { findNonlinearGrowth, repeatedStrings } from '@sluice/testkit';
import { lexemesOf, markOf, wordsOf } from './search-words.ts';

describe('wordsOf', () => {
  it('takes time linear in the text, whatever it repeats', () => {
    expect(
      repeatedStrings(40)
        .map((text) => findNonlinearGrowth(wordsOf, text))
        .find(Boolean),
    ).toBeUndefined();
  });

  it('keeps the letters of a word under more accents than any language has', () => {
    expect(wordsOf(`gro${'\u0308'.repeat(100)}ße`)).toEqual(wordsOf('GRÖSSE'));
  });

  it.each([
    ['demo.vega.flights', ['demo', 'vega', 'flights']],
    ['Flights flights FLIGHTS', ['flights']],
    ['crème_brûlée-2', ['creme', 'brulee', '2']],
    ['... -- !', []],
  ])(
    'splits %j at everything but letters and digits, in lower case, without accents and repetitions',
    (text, words) => {
      expect(wordsOf(text)).toEqual(words);
    },
  );

  it('truncates long words', () => {
    expect(wordsOf('x'.repeat(1000))).toEqual(['x'.repeat(60)]);
  });
});

describe('lexemesOf', () => {
  it('contains each word for its own tier and every wider one', () => {
    const tenantId = randomUUID();
    const texts = { title: 'flights', summary: 'delay', rest: 'air' };
    const { lexemes, words } = lexemesOf(tenantId, 'TABLE', texts);
    const marked = (tier: 'all' | 'summary' | 'title', ...of: string[]) =>
      of.map((word) => markOf(tenantId, 'TABLE', tier) + word);
    expect(lexemes.toSorted()).toEqual(
      [
        ...marked('title', 'flights'),
        ...marked('summary', 'flights', 'delay'),
        ...marked('all', 'flights', 'delay', 'air'),
      ].toSorted(),
    );
    expect(words).toEqual(['flights', 'delay', 'air']);
  });

  it('has prefixes that differ by tenant, type and tier', () => {
    const [acme, globex] = ['00000000-0000-4000-8000-000000000000', '11111111-0000-4000-8000-000000000000'];
    const marks = [acme, globex].flatMap((tenantId) =>
      (['DATAMAP', 'TABLE', 'VIEW'] as const).flatMap((type) =>
        (['all', 'summary', 'title'] as const).map((tier) => markOf(tenantId, type, tier)),
      ),
    );
    expect(new Set(marks).size).toBe(18);
  });
});
