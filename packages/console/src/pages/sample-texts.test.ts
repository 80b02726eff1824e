import { describe, expect, it } from '@jest/globals';
import { EMPTY_VIEW } from '../result/result-view.ts';
import { sampleTexts } from './sample-texts.ts';

describe('sample values', () => {
  it('are the first different values of each column, without NULL and empty strings', () => {
    const rows = [
      ['1', 'null'],
      ['1', '""'],
      ['2', '"a\\nb"'],
      ['3', `"${'x'.repeat(60)}"`],
      ['4', 'null'],
    ];
    const view = {
      ...EMPTY_VIEW,
      columns: [
        { name: 'id', type: 'bigint' },
        { name: 'text', type: 'varchar' },
      ],
      receivedRows: rows.length,
      loadedRows: rows.length,
      cell: (row: number, column: number) => rows[row]?.[column] ?? 'null',
    };
    expect(Object.fromEntries(sampleTexts(view))).toEqual({ id: '1 · 2 · 3', text: `a↵b · ${'x'.repeat(40)}` });
  });
});
