import { describe, expect, it } from '@jest/globals';
import { type SqlDialect, statements } from '@sluice/contract/sql';
import fc from 'fast-check';
import { runnableRange, statementAt } from './statement-at-cursor.ts';

/** Returns the statement at `|`. */
function atMark(marked: string, dialect: SqlDialect = 'duckdb'): string | undefined {
  const cursor = marked.indexOf('|');
  const text = marked.slice(0, cursor) + marked.slice(cursor + 1);
  const range = statementAt(text, cursor, dialect);
  return range === undefined ? undefined : text.slice(range.from, range.to);
}

/** Tokens in which a semicolon does not end a statement. */
const PIECES: Record<SqlDialect, readonly string[]> = {
  duckdb: [
    "'a;b'",
    "'it''s;'",
    '"x;""y"',
    '$$ ; $$',
    "$tag$ ; $$ ' ; $tag$",
    "E'\\'; --'",
    '/* a /* ; */ ; */',
    '-- ;\n',
    '-- ;\r',
    '$name',
    'a$b',
    '1.5',
    '->>',
    'SELECT',
    '(',
    '\n',
  ],
  trino: ["'a;b'", "'\\'", "'it''s;'", '"x;""y"', '/* /* ; */', '-- ;\n', '$name', '1e5', '||', 'SELECT', '(', '\n'],
};

const dialects = fc.constantFrom<SqlDialect>('duckdb', 'trino');

describe('statementAt', () => {
  it.each([
    ['SELECT 1|; SELECT 2', 'SELECT 1'],
    ['SELECT 1;| SELECT 2', 'SELECT 1'],
    ['SELECT 1; |SELECT 2', 'SELECT 2'],
    ['SELECT 1;  |\nSELECT 2', 'SELECT 1'],
    ['SELECT 1;\n|\nSELECT 2', 'SELECT 2'],
    ['SELECT 1;\nSELECT 2;\n\n|', 'SELECT 2'],
    ['|  SELECT 1', 'SELECT 1'],
    ['SELECT 1 -- one; two|\n, 2', 'SELECT 1 -- one; two\n, 2'],
    ["SELECT ';|'; SELECT 2", "SELECT ';'"],
    [';;|;', undefined],
    ['-- nothing|', undefined],
    ['|', undefined],
    ['/* head */ SELECT 1 /* tail */ ;|', 'SELECT 1'],
    ["SELECT 'open; |SELECT 2", "SELECT 'open; SELECT 2"],
  ])('finds the statement for %j', (marked, statement) => {
    expect(atMark(marked)).toBe(statement);
  });

  it('reads dollar quotes on DuckDB and not on Trino', () => {
    expect(atMark('SELECT $$a;|b$$', 'duckdb')).toBe('SELECT $$a;b$$');
    expect(atMark('SELECT $$a|;b$$', 'trino')).toBe('SELECT $$a');
    expect(atMark("SELECT '\\'; SELECT |2", 'trino')).toBe('SELECT 2');
  });

  it('finds each statement from each of its characters, whatever its quotes and comments contain', () => {
    const scripts = dialects.chain((dialect) => {
      const piece = fc.constantFrom(...PIECES[dialect]);
      const statement = fc.array(piece, { maxLength: 6 }).map((pieces) => ['x', ...pieces, 'y'].join(' '));
      return fc.record({ dialect: fc.constant(dialect), all: fc.array(statement, { minLength: 1, maxLength: 5 }) });
    });
    fc.assert(
      fc.property(scripts, ({ dialect, all }) => {
        const text = all.join(';');
        expect([...statements(text, dialect)].map(({ from, to }) => text.slice(from, to))).toEqual(all);
        let start = 0;
        for (const statement of all) {
          for (let at = start; at <= start + statement.length; at += 1)
            expect(statementAt(text, at, dialect)).toEqual({ from: start, to: start + statement.length });
          start += statement.length + 1;
        }
      }),
    );
  });

  it('never throws and stays within the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(50), dialects, (text, cursor, dialect) => {
        const range = statementAt(text, cursor, dialect);
        if (range !== undefined) expect(0 <= range.from && range.from < range.to && range.to <= text.length).toBe(true);
      }),
    );
  });

  it.each(["'", '"', '/*', '$$', "E'\\", '((((', '$a', '--\n', '+-', ' '])(
    'takes linear time for %j repeated',
    (piece) => {
      const text = piece.repeat(1_000_000 / piece.length);
      const started = process.cpuUsage();
      statementAt(text, text.length, 'duckdb');
      statementAt(text, text.length, 'trino');
      const { user, system } = process.cpuUsage(started);
      expect((user + system) / 1e6).toBeLessThan(6);
    },
  );
});

describe('runnableRange', () => {
  it('returns the selection without blanks around it, also if it is several statements', () => {
    const text = ' SELECT 1; SELECT 2 ';
    expect(runnableRange(text, { from: 0, to: text.length }, 'duckdb')).toEqual({ from: 1, to: text.length - 1 });
    expect(runnableRange(text, { from: 0, to: 1 }, 'duckdb')).toBeUndefined();
    expect(runnableRange(text, { from: 3, to: 3 }, 'duckdb')).toEqual({ from: 1, to: 9 });
    expect(runnableRange('-- no ; statement\nSELECT 1', { from: 0, to: 17 }, 'duckdb')).toBeUndefined();
  });
});
