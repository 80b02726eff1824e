import { describe, expect, it } from '@jest/globals';
import { pickRows } from './pick-rows.ts';

const pick = (text: string, ...lines: number[]) => pickRows(new Blob([text]), new Set(lines));

describe('the rows of objects that were not applied', () => {
  it('are those of the file, under its header, with their lines in both', async () => {
    const picked = await pick(
      '\uFEFFid;type;description\r\n\r\na;TABLE;x\r\nb;TABLE;"two\nlines, one ""cell"""\r\nc;TABLE;\r\nd;TABLE;y',
      4,
      7,
    );
    expect(picked).toEqual({
      text: 'id;type;description\nb;TABLE;"two\nlines, one ""cell"""\nd;TABLE;y\n',
      objects: [
        { line: 2, fileLine: 4 },
        { line: 4, fileLine: 7 },
      ],
    });
  });

  it('are all rows of an object, and the line for Excel stays', async () => {
    expect(await pick('sep=,\ntype,id,field\nTABLE,a,\nTABLE,b,\nTABLE,b,x\nTABLE,c,\n', 4)).toEqual({
      text: 'sep=,\ntype,id,field\nTABLE,b,\nTABLE,b,x\n',
      objects: [{ line: 3, fileLine: 4 }],
    });
  });
});
