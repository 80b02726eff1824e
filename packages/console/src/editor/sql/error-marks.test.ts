import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { errorRange } from './error-marks.ts';

function marked(text: string, line: number, column: number, from = 0, to = text.length): string {
  const range = errorRange(text, { from, to }, { line, column }, 'duckdb');
  return text.slice(range.from, range.to);
}

describe('errorRange', () => {
  it('marks the token at the location', () => {
    expect(marked('SELECT nope FROM t', 1, 8)).toBe('nope');
    expect(marked('SELECT 1,\n  "no pe" FROM t', 2, 3)).toBe('"no pe"');
    expect(marked('SELECT 1\r\nFROM missing', 2, 6)).toBe('missing');
  });

  it('counts lines and columns from the start of the statement', () => {
    const text = "SELECT 1; SELECT '😀' AS a,\nnope";
    expect(marked(text, 2, 1, 10)).toBe('nope');
    expect(marked(text, 1, 15, 10)).toBe('a');
  });

  it('counts characters of Unicode, not UTF-16 units', () => {
    expect(marked("SELECT '😀😀', nope", 1, 14)).toBe('nope');
  });

  it('marks the last character for a location behind the text', () => {
    expect(marked('SELECT 1 +', 1, 11)).toBe('+');
    expect(marked('SELECT 1 +', 9, 99)).toBe('+');
  });

  it('stays within the statement for every location', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.nat(9), fc.nat(30), (sql, line, column) => {
        const statement = { from: 2, to: 2 + sql.length };
        const range = errorRange(`; ${sql};`, statement, { line: line + 1, column: column + 1 }, 'trino');
        expect(statement.from <= range.from && range.from <= range.to && range.to <= statement.to).toBe(true);
      }),
    );
  });
});
