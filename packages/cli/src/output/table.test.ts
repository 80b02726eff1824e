import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { displayWidth, fitLine } from '../terminal/display-width.ts';
import { createTable, renderTable } from './table.ts';

const COLUMNS = [{ title: 'id', isRight: true }, { title: 'name' }, { title: 'note' }];
const NASTY = [
  '',
  'plain',
  '日本語テキスト',
  '👨‍👩‍👧‍👦🇩🇪',
  'e\u0301a\u0308',
  'שלום עולם',
  '\u202eevil\u001b[31m',
  'a\tb\nc',
  'x'.repeat(1_000_000),
];

describe('a table', () => {
  it('is aligned and shows what could harm a terminal', () => {
    expect(
      renderTable(
        COLUMNS,
        NASTY.map((text, index) => [String(10 ** index), text, index === 1 ? null : '|']),
        { nullText: 'NULL', cellWidthMax: 24 },
      ),
    ).toMatchInlineSnapshot(`
"        id | name                     | note
-----------+--------------------------+------
         1 |                          | |
        10 | plain                    | NULL
       100 | 日本語テキスト           | |
      1000 | 👨‍👩‍👧‍👦🇩🇪                     | |
     10000 | éä                       | |
    100000 | שלום עולם                | |
   1000000 | \\u202eevil\\u001b[31m     | |
  10000000 | a\\tb\\nc                  | |
 100000000 | xxxxxxxxxxxxxxxxxxxxxxx… | |
"
`);
  });

  it.each([40, 80, 120, 200])('has lines of at most %i columns', (width) => {
    const columns = NASTY.map((text, index) => ({ title: `${text.slice(0, 300)}${index}` }));
    const table = createTable(columns, [NASTY], { width });
    for (const line of [...table.header.trimEnd().split('\n'), table.row(NASTY).trimEnd()])
      expect(displayWidth(line)).toBeLessThanOrEqual(width);
    expect(table.hidden.length > 0).toBe(width < 120);
  });

  it('names the columns that do not fit', () => {
    const columns = Array.from({ length: 300 }, (_, index) => ({ title: `column_${index}` }));
    const text = renderTable(columns, [columns.map(() => 'some longer text')], { width: 80 });
    expect(text.split('\n')[0]).toMatch(/ \| …$/);
    expect(text).toMatch(/Not shown: column_\d+, .*, column_299\.\n$/);
  });

  it('cuts a later cell that is longer than those of the sample, visibly', () => {
    const table = createTable([{ title: 'n' }, { title: 'm' }], [['abc', 'x']]);
    expect(table.row(['abcdef', 'x'])).toBe(' ab… | x\n');
  });
});

describe('fitLine', () => {
  it('never exceeds its width and marks every cut', () => {
    const piece = fc.constantFrom(
      'a',
      ' ',
      '日',
      '👨‍👩‍👧‍👦',
      '🇩🇪',
      'e\u0301',
      '\u0300',
      '\n',
      '\u202e',
      '🏽',
      '\ud800',
      '1️⃣',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (pieces, max) => {
        const text = pieces.join('');
        const line = fitLine(text, max);
        expect(line.width).toBeLessThanOrEqual(max);
        expect(displayWidth(line.text)).toBe(line.width);
        expect(line.text.includes('…')).toBe(fitLine(text, 10_000).width > max);
      }),
    );
  });

  it('is fast for a string of megabytes', () => {
    for (const unit of ['a', '日', '\u0300', '👨‍👩‍👧‍👦'])
      expect(fitLine(unit.repeat(1_000_000), 20).text.endsWith('…')).toBe(true);
  });
});
