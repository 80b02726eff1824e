import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import fc from 'fast-check';
import { parseString } from 'fast-csv';
import { createFormat } from './create-format.ts';
import { csvText } from './csv.ts';

const csv = createFormat({ name: 'csv', bigNumbers: 'number', formulas: 'keep', progress: 'hidden' });
const safe = createFormat({ name: 'csv', bigNumbers: 'number', formulas: 'prefix', progress: 'hidden' });
const named = (...names: readonly string[]): { name: string; type: string }[] =>
  names.map((name) => ({ name, type: 'varchar' }));

const parse = (text: string): Promise<string[][]> =>
  new Promise((resolve, reject) => {
    const rows: string[][] = [];
    parseString<string[], string[]>(text, { headers: false })
      .on('error', reject)
      .on('data', (row: string[]) => rows.push(row))
      .on('end', () => resolve(rows));
  });

describe('the CSV format', () => {
  it('starts with a line of names, quoted only where needed', () => {
    expect(csv.head(named('a', 'b c', 'd,e', 'f"g', 'h\ni', '=j'))).toBe('a,b c,"d,e","f""g","h\ni",=j\n');
    expect(safe.head(named('=a', '-b'))).toBe("'=a,'-b\n");
  });

  it('separates cells with commas and ends each line, including the last', () => {
    const template = csv.row(named('a', 'b', 'c'));
    expect(template.separator).toBe('');
    expect(template.parts).toEqual([
      { cell: 0 },
      { literal: ',' },
      { cell: 1 },
      { literal: ',' },
      { cell: 2 },
      { literal: '\n' },
    ]);
  });

  it('separates cells with the chosen character, which is then quoted instead of the comma', () => {
    for (const separator of [';', '\t', '|'] as const) {
      const format = createFormat({
        name: 'csv',
        bigNumbers: 'number',
        formulas: 'keep',
        progress: 'hidden',
        separator,
      });
      expect(format.head(named('a,b', `c${separator}d`))).toBe(`a,b${separator}"c${separator}d"\n`);
      const { parts, style } = format.row(named('a', 'b'));
      expect(parts).toEqual([{ cell: 0 }, { literal: separator }, { cell: 1 }, { literal: '\n' }]);
      expect(style.separator).toBe(separator);
    }
  });

  it('begins with a byte order mark on request', () => {
    const spec = { name: 'csv', bigNumbers: 'number', formulas: 'keep', progress: 'hidden' } as const;
    expect(createFormat({ ...spec, hasByteOrderMark: true }).head(named('née'))).toBe('\ufeffnée\n');
    expect(createFormat({ ...spec, hasByteOrderMark: false }).head(named('née'))).toBe('née\n');
  });

  it('adds nothing at the end, and has no text for a failure', () => {
    expect(csv.complete({ queryId: 'q', rows: 0, limited: false, elapsedMs: 0 })).toBe('');
    expect(csv.failed(new ProblemError('internal', 'x'), 'q')).toBeUndefined();
    expect(csv.failedBody).toBeUndefined();
  });
});

describe('csvText', () => {
  it.each([
    ['plain text', 'plain text'],
    ['', '""'],
    [' ', ' '],
    ['a,b', '"a,b"'],
    ['"', '""""'],
    ['a\r', '"a\r"'],
    ['\n', '"\n"'],
    ['é😀\u2028\0', 'é😀\u2028\0'],
  ])('writes %j as RFC 4180 requires', (text, field) => {
    expect(csvText(text, 'keep')).toBe(field);
  });

  it.each(['=1+1', '+1', '-1', '@a', '\ta', '\ra', '\0a'])('makes %j harmless on request', (text) => {
    expect(csvText(text, 'keep').replaceAll('"', '')).toBe(text);
    expect(csvText(text, 'prefix').replaceAll('"', '')).toBe(`'${text}`);
  });

  it('leaves harmless strings and numbers unchanged', () => {
    for (const text of ['a=1', ' =1', "'=1", '1']) expect(csvText(text, 'prefix')).toBe(text);
  });

  it('is read back as the same strings by another parser', async () => {
    const field = fc
      .array(fc.constantFrom('a', ',', '"', '\n', '\r', '\t', '😀', "'", ';', '\\'), { minLength: 1 })
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(field, { minLength: 2, maxLength: 6 }), async (fields) => {
        const line = fields.map((text) => csvText(text, 'keep')).join(',');
        const [row] = await parse(`x,y\n${line}\n`).then((rows) => rows.slice(1));
        // fast-csv drops a field of only white space, which RFC 4180 makes part of the field.
        const seen = (texts: readonly string[] = []): string[] => texts.map((text) => (text.trim() === '' ? '' : text));
        expect(seen(row)).toEqual(seen(fields));
      }),
      { numRuns: 500 },
    );
  });
});
