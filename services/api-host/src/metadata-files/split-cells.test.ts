import { describe, expect, it } from '@jest/globals';
import { splitCells } from '@sluice/contract/metadata-files';
import fc from 'fast-check';
import { parseString } from 'fast-csv';

const cell = fc.string({ unit: fc.constantFrom('a', ',', ';', '"', ' ', '\n', '\\', 'ä'), maxLength: 6 });
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const parsed = (record: string): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const rows: string[][] = [];
    parseString(record, { headers: false })
      .on('error', reject)
      .on('data', (row: string[]) => rows.push(row))
      .on('end', () => resolve(rows[0] ?? []));
  });

describe('splitCells', () => {
  it('returns the cells that the parser of the host returns', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 5 }), async (cells) => {
        const record = cells.map((each) => (/[",\n]/.test(each) ? quoted(each) : each)).join(',');
        // The parser takes a cell of spaces for an empty one.
        fc.pre(!cells.some((each) => /^ +$/.test(each)) && record.trim() !== '');
        expect(splitCells(record)).toEqual(await parsed(record));
        expect(splitCells(record)).toEqual(cells);
      }),
      { numRuns: 300 },
    );
  });

  it('splits at another separator, and returns nothing for a broken record', () => {
    expect(splitCells('a,b;"c;d";', ';')).toEqual(['a,b', 'c;d', '']);
    for (const record of ['a"b', '"a"b', '"a', 'a,"b" '])
      expect([record, splitCells(record)]).toEqual([record, undefined]);
  });
});
