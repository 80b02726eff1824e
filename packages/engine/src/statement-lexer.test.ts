import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { lexSql, stripTrailingSemicolons } from './statement-lexer.ts';

const words = (sql: string): readonly string[] =>
  [...lexSql(sql)].filter((token) => token.kind === 'word').map((token) => token.text);

describe('lexSql', () => {
  it('skips white space and comments, including nested ones', () => {
    expect(words('/* a /* b */ c */ SELECT -- d\n e\r\n--f\rg')).toEqual(['SELECT', 'E', 'G']);
  });

  it('reads a quoted string as one token, whatever it contains', () => {
    const quoted = [`'a;--b'`, `"a;/*b"`, `$$ ; ' $$`, `$tag$ $$ ; $tag$`, `E'\\'; --'`, `e'\\\\'`];
    for (const text of quoted) {
      const tokens = [...lexSql(`SELECT ${text};`)];
      expect(tokens.map((token) => token.text)).toEqual(['SELECT', text, ';']);
    }
  });

  it('reads an unterminated string to its end', () => {
    for (const text of [`'a`, `"a`, '$$ a', '/* a /* b */', `E'a\\'`]) {
      expect([...lexSql(text)].at(-1)?.end ?? text.length).toBe(text.length);
    }
  });
});

describe('stripTrailingSemicolons', () => {
  it.each([
    ['SELECT 1;', 'SELECT 1'],
    ['SELECT 1 ; ; -- a\n; /* b */', 'SELECT 1'],
    ["SELECT ';' -- ;", "SELECT ';' -- ;"],
    ["SELECT E'\\'' ; -- '", "SELECT E'\\''"],
    ['SELECT 1 -- one\r, 2;', 'SELECT 1 -- one\r, 2'],
    [';', ''],
    ['-- nothing', '-- nothing'],
  ])('cuts semicolons, and everything between and after them: %j', (sql, statement) => {
    expect(stripTrailingSemicolons(sql)).toBe(statement);
  });
});

describe('the lexer and the parser of DuckDB', () => {
  let instance: DuckDBInstance;
  let connection: DuckDBConnection;
  beforeAll(async () => {
    instance = await DuckDBInstance.create(':memory:');
    connection = await instance.connect();
  });
  afterAll(() => {
    connection.closeSync();
    instance.closeSync();
  });

  const fragment = fc.constantFrom(
    ...[
      'SELECT',
      'select 1',
      ' 1',
      ' ',
      '\n',
      '\r',
      '\t',
      ',',
      ';',
      '--',
      '/*',
      '*/',
      "'",
      "''",
      '"',
      '\\',
      "E'",
      "e'",
      '$$',
    ],
    ...[
      '$a$',
      '$',
      'x',
      ' AS ',
      '(',
      ')',
      '-',
      '/',
      '*',
      '+',
      'é',
      '\u00a0',
      '\u2028',
      "'a'",
      '"b"',
      "E'\\''",
      '-- c\n',
      '/* c */',
    ],
  );

  const treeOf = async (sql: string): Promise<string | undefined> => {
    const reader = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql]);
    const tree = JSON.parse(String(reader.getRows()[0]?.[0])) as { error: boolean; statements?: unknown[] };
    if (tree.error || tree.statements?.length !== 1) return undefined;
    return JSON.stringify(tree.statements, (key, value) => (key === 'query_location' ? undefined : value));
  };

  /**
   * DuckDB reads a Unicode space as white space between two words, and as a name before a semicolon, with or without comments
   * between them. If that changes the tree of the statement, the guard rejects it (checked-statement.test.ts). It must be the
   * only reason for a different tree.
   */
  const SPACE_BEFORE_SEMICOLON = /[\u00a0\u2028](?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*;/;

  it('agree on where a statement ends: without the rest, it is the same statement', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fragment, { maxLength: 12 }), async (fragments) => {
        const sql = `SELECT 1 ${fragments.join('')}`;
        const tree = await treeOf(sql);
        if (tree === undefined) return;
        compared += 1;
        const stripped = await treeOf(stripTrailingSemicolons(sql));
        if (stripped !== tree) expect(sql).toMatch(SPACE_BEFORE_SEMICOLON);
      }),
      { numRuns: 1_500 },
    );
    expect(compared).toBeGreaterThan(100);
  });
});
