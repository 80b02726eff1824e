import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseString } from 'fast-csv';
import type { Completeness } from '../result/result-view.ts';
import { RowStore } from '../result/row-store.ts';
import { COPY_FORMATS, type CopyFormat, CopyTooLargeError, copyText } from './copy-formats.ts';

const NOTE = 'Incomplete: the first 2 rows.';
const COLUMNS = [
  { name: 'n', type: 'decimal(20,2)' },
  { name: 'a, "b"', type: 'varchar' },
];
const ROWS = [
  ['9007199254740993.10', '"x,y"'],
  ['null', '""'],
  ['-1.00', '"a\\tb\\n|<b>"'],
];

function copy(
  format: CopyFormat,
  completeness: Completeness = 'complete',
  rows: readonly string[][] = ROWS,
  columns = COLUMNS,
) {
  const store = new RowStore(columns);
  store.append(rows);
  const range = { firstRow: 0, lastRow: rows.length, firstColumn: 0, lastColumn: columns.length };
  return copyText(
    { view: store.view(completeness), order: undefined, range, incompleteNote: NOTE },
    format,
    () => undefined,
  );
}

const parseCsv = (text: string, delimiter: string): Promise<string[][]> =>
  new Promise((resolve, reject) => {
    const rows: string[][] = [];
    parseString<string[], string[]>(text, { headers: false, delimiter })
      .on('error', reject)
      .on('data', (row: string[]) => rows.push(row))
      .on('end', () => resolve(rows));
  });

describe('copyText', () => {
  it('writes CSV with exact digits, and NULL and the empty string apart', async () => {
    expect(await copy('csv')).toBe('n,"a, ""b"""\n9007199254740993.10,"x,y"\n,""\n-1.00,"a\tb\n|<b>"\n');
  });

  it('writes TSV that a spreadsheet reads', async () => {
    expect(await copy('tsv')).toBe('n\t"a, ""b"""\n9007199254740993.10\tx,y\n\t""\n-1.00\t"a\tb\n|<b>"\n');
  });

  it('writes the JSON of the host unchanged', async () => {
    const text = await copy('json');
    expect(text).toBe(
      '[\n  {"n": 9007199254740993.10, "a, \\"b\\"": "x,y"},\n  {"n": null, "a, \\"b\\"": ""},\n  {"n": -1.00, "a, \\"b\\"": "a\\tb\\n|<b>"}\n]\n',
    );
    expect(JSON.parse(text)).toHaveLength(3);
    expect(JSON.parse(await copy('json', 'complete', []))).toEqual([]);
  });

  it('writes Markdown without markup of the values', async () => {
    expect(await copy('markdown')).toBe(
      '| n | a, "b" |\n| ---: | --- |\n| 9007199254740993.10 | x,y |\n| *NULL* |  |\n| -1.00 | a b<br>\\|\\<b\\> |\n',
    );
  });

  it.each([
    ['csv', ','],
    ['tsv', '\t'],
  ] as const)('writes %s from which every string can be read back', async (format, delimiter) => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\t', '\n', '\r', ' ', '😀') });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 2 }), async (strings) => {
        const rows = strings.map((row) => row.map((text) => JSON.stringify(text)));
        const text = await copy(format, 'complete', rows, [
          { name: 'a', type: 'varchar' },
          { name: 'b', type: 'varchar' },
        ]);
        expect(await parseCsv(text, delimiter)).toEqual([['a', 'b'], ...strings]);
      }),
      { numRuns: 50 },
    );
  });

  it('ends with a line that says so if the result is not whole, in every format', async () => {
    for (const format of COPY_FORMATS) {
      expect(await copy(format)).not.toContain('Incomplete');
      for (const state of ['streaming', 'limited', 'failed', 'cancelled', 'cut'] as const) {
        const lines = (await copy(format, state)).trimEnd().split('\n');
        expect(lines.at(-1)).toMatch(/^(?:# |\/\/ |\*\*)Incomplete: the first 2 rows\.(?:\*\*)?$/);
      }
    }
    await expect(copy('json', 'cut').then(JSON.parse)).rejects.toThrow(SyntaxError);
  });

  it('ends with this line if later rows were dropped', async () => {
    const store = new RowStore([{ name: 'a', type: 'varchar' }], 60);
    store.append([['"1"'], ['"2"'], [`"${'x'.repeat(100)}"`]]);
    const range = { firstRow: 0, lastRow: 2, firstColumn: 0, lastColumn: 1 };
    const input = { view: store.view('complete'), order: undefined, range, incompleteNote: NOTE };
    expect(await copyText(input, 'csv', () => undefined)).toBe(`a\n1\n2\n# ${NOTE}\n`);
  });

  it('copies a single value alone, and a part of the result in the order that is shown', async () => {
    const store = new RowStore(COLUMNS);
    store.append(ROWS);
    const view = store.view('cut');
    const order = Uint32Array.of(2, 0);
    const one = {
      view,
      order,
      range: { firstRow: 1, lastRow: 2, firstColumn: 1, lastColumn: 2 },
      incompleteNote: NOTE,
    };
    expect(await copyText(one, 'tsv', () => undefined)).toBe('x,y');
    const part = { ...one, range: { firstRow: 0, lastRow: 2, firstColumn: 0, lastColumn: 1 } };
    expect(await copyText(part, 'csv', () => undefined)).toBe(`n\n-1.00\n9007199254740993.10\n# ${NOTE}\n`);
  });

  it('throws CopyTooLargeError instead of filling the memory', async () => {
    const value = `"${'x'.repeat(1_000_000)}"`;
    const rows = Array.from({ length: 70 }, () => [value]);
    await expect(copy('csv', 'complete', rows, [{ name: 'a', type: 'varchar' }])).rejects.toThrow(CopyTooLargeError);
  });
});
