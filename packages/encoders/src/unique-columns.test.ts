import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { uniqueColumns } from './unique-columns.ts';

const unique = (...names: readonly string[]): readonly string[] =>
  uniqueColumns(names.map((name) => ({ name, type: 'integer' }))).map((column) => column.name);

describe('uniqueColumns', () => {
  it('numbers duplicates, in order', () => {
    expect(unique('a', 'b', 'a', 'a')).toEqual(['a', 'b', 'a_2', 'a_3']);
    expect(unique('', '', ' ')).toEqual(['', '_2', ' ']);
    expect(unique('__proto__', '__proto__', 'constructor')).toEqual(['__proto__', '__proto___2', 'constructor']);
  });

  it('never uses a name that the caller gave to another column', () => {
    expect(unique('a', 'a', 'a_2')).toEqual(['a', 'a_3', 'a_2']);
    expect(unique('a_2', 'a', 'a')).toEqual(['a_2', 'a', 'a_3']);
    expect(unique('a', 'a', 'a_2', 'a_2', 'a_3')).toEqual(['a', 'a_4', 'a_2', 'a_2_2', 'a_3']);
  });

  it('keeps types, and names that differ only in case', () => {
    const columns = [
      { name: 'a', type: 'bigint' },
      { name: 'A', type: 'varchar' },
      { name: 'a', type: 'date' },
    ];
    expect(uniqueColumns(columns)).toEqual([columns[0], columns[1], { name: 'a_2', type: 'date' }]);
  });

  it('makes any names distinct, and keeps the first of each', () => {
    const name = fc.constantFrom('a', 'a_2', 'a_3', 'b', 'a_2_2', '');
    fc.assert(
      fc.property(fc.array(name, { maxLength: 20 }), (names) => {
        const result = unique(...names);
        expect(new Set(result).size).toBe(names.length);
        for (const [index, given] of names.entries()) {
          if (names.indexOf(given) === index) expect(result[index]).toBe(given);
        }
      }),
    );
  });
});
