import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvCells, csvRecords } from './csv-cells.ts';

const cellText = (cell: string | undefined): string => (cell === undefined ? '' : `"${cell.replaceAll('"', '""')}"`);

async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split('\n');
}

const anyCell = fc.option(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', "'", 'é', ' ') }), {
  nil: undefined,
});
const anyRecord = fc.array(anyCell, { minLength: 1, maxLength: 6 });

describe('csvCells', () => {
  it('returns the cells that were written, and tells an empty cell from an empty string', () => {
    fc.assert(
      fc.property(anyRecord, (cells) => {
        expect(csvCells(cells.map(cellText).join(','))).toEqual(cells);
      }),
    );
    expect(csvCells('a,,""')).toEqual(['a', undefined, '']);
  });

  it.each(['"a', '"a"b', 'a"b', '"a" ,b'])('throws SyntaxError for %j', (text) => {
    expect(() => csvCells(text)).toThrow(SyntaxError);
  });
});

describe('csvRecords', () => {
  it('joins the lines of a quoted cell', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRecord, { minLength: 1, maxLength: 5 }), async (records) => {
        const strings = records.map((cells) => cells.map(cellText).join(','));
        const found: string[] = [];
        for await (const record of csvRecords(linesOf(strings.join('\n')))) found.push(record);
        expect(found).toEqual(strings);
      }),
    );
  });

  it('yields an unfinished record at the end', async () => {
    const found: string[] = [];
    for await (const record of csvRecords(linesOf('a\n"b\nc'))) found.push(record);
    expect(found).toEqual(['a', '"b\nc']);
  });
});
