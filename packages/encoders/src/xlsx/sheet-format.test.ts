import { describe, expect, it } from '@jest/globals';
import { createSheetFormat } from './sheet-format.ts';

const columns = (count: number, name = 'c'): { name: string; type: string }[] =>
  Array.from({ length: count }, (_, index) => ({ name: `${name}${index}`, type: 'integer' }));

describe('createSheetFormat', () => {
  const format = createSheetFormat();

  it('rejects more columns than a sheet can hold before any row is written', () => {
    expect(() => format.row(columns(16_384))).not.toThrow();
    expect(() => format.row(columns(16_385))).toThrow(/16385 columns, but a worksheet has at most 16384/);
  });

  it('rejects a name that is too long for a cell', () => {
    expect(() => format.row(columns(1, 'x'.repeat(32_767)))).toThrow(/name of column 1 is too long/);
  });

  it('writes names as strings, whatever they contain', () => {
    expect(format.head([{ name: '=1+1<&>\u0000', type: 'integer' }])).toContain(
      '=1+1&lt;&amp;&gt;_x0000_</t></is></c></row>',
    );
  });
});
