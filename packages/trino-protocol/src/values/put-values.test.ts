import { describe, expect, it } from '@jest/globals';
import { lexSql, lexTrinoSql } from '@sluice/engine';
import fc from 'fast-check';
import { StatementReader } from '../statement/statement-reader.ts';
import { countMarks, type EngineKind, putValues, withoutValues } from './put-values.ts';
import { readValues } from './read-values.ts';

const valuesOf = (text: string) => readValues(new StatementReader(text));
const put = (sql: string, values: string, engine: EngineKind = 'trino'): string =>
  putValues(sql, values === '' ? [] : valuesOf(values), { engine });

/** Parts of statements in which a question mark is not a parameter. */
const QUIET: Readonly<Record<EngineKind, readonly string[]>> = {
  duckdb: ["'?'", "'it''s ?'", "E'\\'?'", '"?"', '"a""?"', '$$ ? $$', "$t$ ?' $t$", "-- ? '\n", '/* ? /* ? */ ? */'],
  trino: ["'?'", "'it''s ?'", "'\\'", '"?"', '"a""?"', '-- ? "\r\n', '/* ? */', 'PATTERN (A? B*?)'],
};
const PLAIN = [' ', '\n', '(', ')', ',', '+', 'SELECT', 'a', 'LIMIT ', '.5', '::', 'é', ';'];

/** Statements whose parts are known: text that stays, and marks. */
const statements = (engine: EngineKind) =>
  fc.array(fc.oneof(fc.constantFrom(...QUIET[engine]), fc.constantFrom(...PLAIN), fc.constant('?')), { maxLength: 30 });

/** Keeps parts apart that would be another token together, as `'?'` and `'?'` would. */
const separated = (parts: readonly string[]): readonly string[] => parts.flatMap((part) => [part, ' ']);

describe.each(['duckdb', 'trino'] as const)('values in a statement of %s', (engine) => {
  it('take the places of the marks alone: everything else stays, in order', () => {
    fc.assert(
      fc.property(statements(engine), (parts) => {
        const pieces = separated(parts);
        const sql = pieces.join('');
        const count = pieces.filter((part) => part === '?').length;
        expect(countMarks(sql, engine)).toBe(count);
        const values = Array.from({ length: count }, (_, index) => `'v${index}'`);
        let next = 0;
        const expected = pieces.map((part) => (part === '?' ? `'v${next++}'` : part)).join('');
        expect(put(sql, values.join(', '), engine)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('never become a part of the tokens beside them', () => {
    const value = fc.constantFrom("'a'", '1', "DATE '2020-01-01'", "X'00'", 'NULL', '-1');
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...PLAIN, ...QUIET[engine], '?'), { maxLength: 8 }),
        value,
        (parts, literal) => {
          const sql = parts.join('');
          const count = countMarks(sql, engine);
          if (count === 0) return;
          const lex = engine === 'duckdb' ? lexSql : lexTrinoSql;
          const texts = [...lex(sql)].map(({ text }) => text);
          const after = [...lex(put(sql, Array(count).fill(literal).join(), engine))].map(({ text }) => text);
          let at = 0;
          for (const text of texts.filter((each) => each !== '?')) {
            at = after.indexOf(text, at) + 1;
            expect([sql, text, at]).not.toEqual([sql, text, 0]);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('fit with what stands around the mark', () => {
    expect(put('SELECT 5-?', '-3', engine)).toBe('SELECT 5- (-3)');
    expect(put("SELECT 'a'?", "'b'", engine)).toBe("SELECT 'a' 'b'");
    expect(put('SELECT 1 LIMIT ?', "INTEGER '5'", engine)).toBe('SELECT 1 LIMIT 5');
    expect(put('SELECT 1 OFFSET ? FETCH FIRST ? ROWS ONLY', "BIGINT '2', 7", engine)).toBe(
      'SELECT 1 OFFSET 2 FETCH FIRST 7 ROWS ONLY',
    );
  });

  it('are NULL in a statement that is only described, and one row where only a number may stand', () => {
    expect(withoutValues("SELECT ?, '?' FROM t LIMIT ?", engine)).toBe("SELECT NULL, '?' FROM t LIMIT 1");
  });

  it('must not make the statement longer than any may be', () => {
    expect(() => put('SELECT ?, ?', `'${'a'.repeat(140_000)}', '${'a'.repeat(140_000)}'`, engine)).toThrow(
      expect.objectContaining({ errorName: 'QUERY_TEXT_TOO_LARGE' }),
    );
  });
});

describe('values for Trino', () => {
  it('are what was given, without comments after them, and in parentheses if they are not one value', () => {
    const cases: readonly (readonly [string, string])[] = [
      ["INTEGER '1' -- one", "INTEGER '1'"],
      ['1 /* a, b */', '1'],
      ["X'00 ff'", "X'00 ff'"],
      ["TIMESTAMP '2020-01-01 00:00:00 UTC'", "TIMESTAMP '2020-01-01 00:00:00 UTC'"],
      ["DOUBLE PRECISION '1e0'", "DOUBLE PRECISION '1e0'"],
      ['CAST(NULL AS VARCHAR)', '(CAST(NULL AS VARCHAR))'],
      ['1 + 2', '(1 + 2)'],
      ['-5', '(-5)'],
      ['ARRAY[1, 2]', '(ARRAY[1, 2])'],
      ["'a,b''c'", "'a,b''c'"],
    ];
    for (const [given, expected] of cases) expect(put('SELECT ?', given)).toBe(`SELECT ${expected}`);
  });
});
