import { describe, expect, it } from '@jest/globals';
import { lowerAscii, sqlIdentifier, sqlLet, sqlString } from './sql-text.ts';

describe('sql-text', () => {
  it('quotes strings and names', () => {
    expect(sqlString("it's \\ \n")).toBe("'it''s \\ \n'");
    expect(sqlString('a\0b')).toBe("('a' || chr(0) || 'b')");
    expect(sqlIdentifier('a"b')).toBe('"a""b"');
  });

  it('names a value once', () => {
    expect(sqlLet('t', 'f(x)', 't || t')).toBe('list_transform([f(x)], lambda t: t || t)[1]');
  });

  it('lower-cases letters as DuckDB compares names: only ASCII letters', () => {
    expect(lowerAscii('ABCxyz09_É\u212aİ')).toBe('abcxyz09_É\u212aİ');
  });
});
