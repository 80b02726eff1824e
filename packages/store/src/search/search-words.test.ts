import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { findNonlinearGrowth, repeatedStrings } from '@sluice/testkit';
import { type LexemeKind, lexemesOf, markOf, nameKeyOf, queryWordsOf, wordsOf } from './search-words.ts';

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

  it('keeps the words inside a word of a query', () => {
    expect(queryWordsOf('GA4Sessions by_day')).toEqual([
      { word: 'ga4sessions', inner: ['ga', 'sessions'] },
      { word: 'by', inner: [] },
      { word: 'day', inner: [] },
    ]);
  });

  it('truncates long words', () => {
    expect(wordsOf('x'.repeat(1000))).toEqual(['x'.repeat(60)]);
  });
});

describe('lexemesOf', () => {
  it('contains each word for its own tier and every wider one', () => {
    const tenantId = randomUUID();
    const texts = { title: 'lot', summary: 'delay', rest: 'air', names: ['Lot'], paths: ['a.b.lot'] };
    const { lexemes, words } = lexemesOf(tenantId, 'TABLE', texts);
    const marked = (kind: LexemeKind, ...of: string[]) => of.map((word) => markOf(tenantId, 'TABLE', kind) + word);
    expect(lexemes.toSorted()).toEqual(
      [
        ...marked('title', 'lot'),
        ...marked('summary', 'lot', 'delay'),
        ...marked('all', 'lot', 'delay', 'air'),
        ...marked('part', 'lot'),
        ...marked('name', 'lot'),
        ...marked('path', 'a.b.lot'),
      ].toSorted(),
    );
    expect(words).toEqual(['lot', 'delay', 'air']);
  });

  const lexemesOfTitle = (title: string, kind: LexemeKind): string[] => {
    const tenantId = randomUUID();
    const { lexemes } = lexemesOf(tenantId, 'TABLE', { title, summary: '', rest: '', names: [title], paths: [] });
    const mark = markOf(tenantId, 'TABLE', kind);
    return lexemes.filter((lexeme) => lexeme.startsWith(mark)).map((lexeme) => lexeme.slice(mark.length));
  };

  it.each([
    ['SalesRegionX', ['salesregionx', 'sales', 'region', 'regionx', 'x']],
    ['GA4Sessions', ['ga4sessions', 'ga', 'sessions', '4sessions']],
    ['flights2k', ['flights2k', 'flights', '2k', 'k']],
    ['ÉtatCivil', ['etatcivil', 'etat', 'civil']],
    ['売上月', ['売上月', '上月', '月']],
    ['売上Report', ['売上', 'report', '上']],
    ['plain_name', ['plain', 'name']],
  ])('contains the words inside %s', (title, words) => {
    expect(lexemesOfTitle(title, 'title').toSorted()).toEqual(words.toSorted());
  });

  it('contains each end of a word of the title with three letters or more', () => {
    expect(lexemesOfTitle('motor', 'part')).toEqual(['motor', 'otor', 'tor']);
    expect(lexemesOfTitle('ab', 'part')).toEqual([]);
  });

  it('contains the name with its separators', () => {
    expect(lexemesOfTitle('Snowflake-Test', 'name')).toEqual(['snowflake-test']);
    expect(nameKeyOf(' "Demo".vega.\u00dcber  x')).toBe('demo.vega.uber x');
  });

  it('of the longest texts fit in a tsvector', () => {
    const letters = [...'𐐀𐐁𐐂𐐃𐐄𐐅𐐆𐐇'];
    const wordOf = (n: number) => Array.from({ length: 60 }, (_, at) => letters[(n >> (at % 12)) % 8] ?? '').join('');
    const long = Array.from({ length: 3000 }, (_, n) => wordOf(n)).join(' ');
    const texts = { title: long.slice(0, 510), summary: long, rest: long, names: [long], paths: [long, long] };
    const { lexemes } = lexemesOf(randomUUID(), 'TABLE', texts);
    expect(Buffer.byteLength(lexemes.join(''))).toBeLessThan(1_048_575);
  });

  it('has prefixes that differ by tenant, type and tier', () => {
    const [acme, globex] = ['00000000-0000-4000-8000-000000000000', '11111111-0000-4000-8000-000000000000'];
    const marks = [acme, globex].flatMap((tenantId) =>
      (['DATAMAP', 'TABLE', 'VIEW'] as const).flatMap((type) =>
        (['all', 'summary', 'title', 'part', 'name', 'path'] as const).map((kind) => markOf(tenantId, type, kind)),
      ),
    );
    expect(new Set(marks).size).toBe(36);
  });
});
