import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readPage } from './read-page.ts';

const PAGE = {
  id: 'q',
  nextUri: 'http://localhost/v1/statement/executing/q/m/1',
  stats: { state: 'RUNNING' },
  warnings: [],
};

describe('readPage', () => {
  it('returns the rows as they were sent, and the address of the next page', () => {
    const rows = '[9223372036854775807,1.0E1,"a,]\\"}"],\n[null,{"data":[1,[2]]},[]]';
    const { id, nextUri, ...rest } = PAGE;
    const text = `${JSON.stringify({ id, nextUri }).slice(0, -1)},"data":[${rows}],${JSON.stringify(rest).slice(1)}`;
    expect(readPage(text)).toEqual({
      nextUri,
      failure: undefined,
      rows: ['[9223372036854775807,1.0E1,"a,]\\"}"]', '[null,{"data":[1,[2]]},[]]'],
    });
  });

  it('has the failure of a statement, and no rows where there are none', () => {
    const error = { message: 'Column "a" is unknown', errorName: 'COLUMN_NOT_FOUND' };
    const failed = { nextUri: undefined, failure: error.message, rows: [] };
    expect(readPage(JSON.stringify({ id: 'q', error, warnings: [] }))).toEqual(failed);
    expect(readPage(JSON.stringify({ ...PAGE, data: [] }))).toMatchObject({ nextUri: PAGE.nextUri, rows: [] });
  });

  it('finds every row', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.jsonValue())), (rows) => {
        const read = readPage(JSON.stringify({ ...PAGE, data: rows }));
        expect(read.rows).toEqual(rows.map((row) => JSON.stringify(row)));
        expect(read.nextUri).toBe(PAGE.nextUri);
      }),
    );
  });

  it('rejects a page that is cut, and anything else', () => {
    const whole = JSON.stringify({ ...PAGE, data: [['a"b\\']] });
    for (let end = 0; end < whole.length; end += 1) expect(() => readPage(whole.slice(0, end))).toThrow(SyntaxError);
    for (const other of ['', 'null', '<html></html>', '"text"']) expect(() => readPage(other)).toThrow(SyntaxError);
  });
});
