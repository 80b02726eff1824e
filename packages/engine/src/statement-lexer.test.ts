import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shortOrLong } from '@sluice/testkit';
import fc from 'fast-check';
import { countStatements, lexSql, stripTrailingSemicolons } from './statement-lexer.ts';

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

describe('countStatements', () => {
  it.each([
    ['', 0],
    [' ;; -- a\n; /* b */', 0],
    ['SELECT 1', 1],
    ['SELECT 1;', 1],
    ['; /* a */ SELECT 1 ; ; -- ; b\n; /* ; c */', 1],
    [`SELECT ';', ";", $$;$$, $a$;$a$, E'\\';' -- ;`, 1],
    ['SELECT 1; SELECT 2', 2],
    ['SELECT 1; /* a */ -- b\rSELECT 2;', 2],
    ["PRAGMA a;;PRAGMA b;'c'", 3],
  ])('counts statements that are not empty: %j', (sql, count) => {
    expect(countStatements(sql)).toBe(count);
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

  const treesOf = async (sql: string): Promise<readonly unknown[] | undefined> => {
    const reader = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [sql]);
    const trees = JSON.parse(String(reader.getRows()[0]?.[0])) as { error: boolean; statements?: unknown[] };
    return trees.error ? undefined : trees.statements;
  };

  const treeOf = async (sql: string): Promise<string | undefined> => {
    const trees = await treesOf(sql);
    if (trees?.length !== 1) return undefined;
    return JSON.stringify(trees, (key, value) => (key === 'query_location' ? undefined : value));
  };

  /**
   * DuckDB reads a Unicode space as white space between two words, and as a name before a semicolon, with or without comments
   * between them. If that changes the tree of the statement, the guard rejects it (checked-statement.test.ts). It must be the
   * only reason for a different tree.
   */
  const SPACE_BEFORE_SEMICOLON = /[\u00a0\u2028](?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*;/;

  const RUNS = shortOrLong(300, 1_500);

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
      { numRuns: RUNS },
    );
    expect(compared).toBeGreaterThan(RUNS / 15);
  });

  it('agree on the number of statements, without Unicode spaces', async () => {
    const compared = new Set<number>();
    const part = fragment.filter((text) => !/[\u00a0\u2028]/.test(text));
    const statement = fc.tuple(fc.constantFrom('', 'SELECT 1 '), fc.array(part, { maxLength: 4 }));
    await fc.assert(
      fc.asyncProperty(fc.array(statement, { maxLength: 3 }), async (statements) => {
        const sql = statements.map(([start, fragments]) => `${start}${fragments.join('')}`).join(';');
        const trees = await treesOf(sql);
        if (trees === undefined) return;
        compared.add(trees.length);
        expect(countStatements(sql)).toBe(trees.length);
      }),
      { numRuns: 500 },
    );
    expect([...compared]).toEqual(expect.arrayContaining([0, 1, 2]));
  });
});
