import { describe, expect, it } from '@jest/globals';
import { readPastedCells, writePastedCells } from './pasted-cells.ts';

describe('the cells of a spreadsheet', () => {
  it.each([
    ['one column', 'a\nb\n', [['a'], ['b']]],
    [
      'two columns with the line ends of Windows',
      'a\tb\r\nc\t\r\n',
      [
        ['a', 'b'],
        ['c', ''],
      ],
    ],
    ['a last row without a line end', 'a\nb', [['a'], ['b']]],
    ['empty rows', 'a\n\nb\n', [['a'], [''], ['b']]],
    ['a cell with line ends', '"a\r\nb"\nc\n', [['a\nb'], ['c']]],
    ['a cell with a tab and a quote', '"a\tb ""c"""\td', [['a\tb "c"', 'd']]],
    ['quotes that are part of the cell', '"a"\n"b" c\n5" pipe\n"open', [['"a"'], ['"b" c'], ['5" pipe'], ['"open']]],
    ['nothing', '', []],
  ])('are read from %s', (_name, text, cells) => {
    expect(readPastedCells(text)).toEqual(cells);
  });

  it('are the same after they were copied and pasted', () => {
    const rows = [
      ['a', 'two\nlines', 'tab\there'],
      ['', '"all in quotes"', 'one "word"'],
    ];
    expect(readPastedCells(writePastedCells(rows))).toEqual(rows);
  });

  it('are read in time that grows with the text, also from quotes that never end', () => {
    const text = `${'"5 inches\n'.repeat(50_000)}`;
    expect(readPastedCells(text)).toHaveLength(50_000);
  });
});
