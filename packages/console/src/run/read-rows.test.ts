import { describe, expect, it } from '@jest/globals';
import { splitRows } from './read-rows.ts';

const COLUMNS = [
  { name: 'n', type: 'bigint' },
  { name: 'a "data":[ b', type: 'varchar' },
];
const body = (rows: string) =>
  `{"metadata":${JSON.stringify({ columns: COLUMNS, type: 'metadata' })},"rows":2,"from":0,"data":[\n${rows}\n]}`;

describe('splitRows', () => {
  it('returns the text of each value, with all digits', () => {
    const name = JSON.stringify(COLUMNS[1]?.name);
    expect(splitRows(body(`{"n":9007199254740993,${name}:"]"},\n{"n":1.50,${name}:null}`), COLUMNS)).toEqual([
      ['9007199254740993', '"]"'],
      ['1.50', 'null'],
    ]);
  });

  it('returns nothing beyond the end', () => {
    expect(splitRows(body(''), COLUMNS)).toEqual([]);
  });

  it.each(['', '{}', body('{"n":1}'), body('1'), `${body('')}`.replace(']}', '')])('rejects %j', (text) => {
    expect(() => splitRows(text, COLUMNS)).toThrow(SyntaxError);
  });
});
