import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { shortOrLong } from '@sluice/testkit';
import fc from 'fast-check';
import { SQL_MARKS, TRINO_KEYWORDS } from '../../../testing/corpus/trino-keywords.ts';
import { TRINO_SQL } from '../../../testing/trino-fixture.ts';
import { checkStatement } from './read-only-guard.ts';

const check = (sql: string): string => checkStatement(sql, { catalogs: ['shop', 'Files'] });

function codeOf(sql: string): string {
  try {
    return `passes: ${check(sql)}`;
  } catch (thrown) {
    return thrown instanceof ProblemError ? thrown.code : String(thrown);
  }
}

describe('accepts', () => {
  it.each([
    'SELECT 1',
    '(SELECT 1)',
    '((SELECT 1) UNION (SELECT 2)) ORDER BY 1',
    'with t as (select 1) select * from t',
    'WITH session AS (SELECT 1) SELECT * FROM session',
    'WITH function (a) AS (SELECT 1) SELECT * FROM function',
    'VALUES 1, 2',
    'TABLE shop.main.orders',
    'SHOW TABLES FROM shop.main',
    "SHOW SCHEMAS FROM files LIKE 'm%'",
    'SHOW COLUMNS FROM orders',
    'SHOW CREATE TABLE shop.main.orders',
    'SHOW STATS FOR (SELECT * FROM shop.main.orders)',
    'SHOW FUNCTIONS',
    'DESCRIBE shop.main.orders',
    'DESC "input"',
    'EXPLAIN SELECT 1',
    'EXPLAIN (TYPE DISTRIBUTED, FORMAT JSON) SELECT 1',
    'EXPLAIN ANALYZE VERBOSE SELECT 1',
    'EXPLAIN (SELECT 1)',
    'SELECT * FROM TABLE(sequence(1, 10))',
    'SELECT * FROM TABLE(system.builtin.exclude_columns(TABLE(shop.main.orders), DESCRIPTOR(a)))',
    'SELECT update, "insert", t.delete FROM t',
    "SELECT 'DROP TABLE t; DELETE' /* ; CALL x() */ FROM t",
    "SELECT extract(day FROM t.r.f), trim(BOTH ' ' FROM t.r.f) FROM t WHERE t.r.f IS DISTINCT FROM u.v.w",
    'SELECT a, b.c.d FROM t ORDER BY a, b.c.d',
    'SELECT * FROM "SHOP".main.t JOIN files.main.u USING (id), shop.main.v',
    'SELECT * FROM t FOR VERSION AS OF 3',
    'SELECT a.b.c.d FROM t GROUP BY 1, a.b.c.d',
    'SELECT count(*) FILTER (WHERE x) OVER (PARTITION BY a, b.c.d ORDER BY e) FROM t, LATERAL (SELECT 1), UNNEST(t.r.f)',
  ])('%s', (sql) => {
    expect(codeOf(sql)).toBe(`passes: ${sql}`);
  });

  it.each([
    ['SELECT 1;', 'SELECT 1'],
    ['SELECT 1 ; ; -- x\n', 'SELECT 1'],
    [' /* a */ SELECT 1 -- b', ' /* a */ SELECT 1'],
  ])('%j without what follows it', (sql, sent) => {
    expect(check(sql)).toBe(sent);
  });
});

describe('rejects', () => {
  it.each([
    ...TRINO_SQL.writes,
    'EXPLAIN ANALYZE INSERT INTO t SELECT 1',
    'EXPLAIN ANALYZE VERBOSE DELETE FROM t',
    'EXPLAIN (TYPE VALIDATE) DROP TABLE t',
    'EXPLAIN EXPLAIN SELECT 1',
    'EXPLAIN CALL x()',
    'WITH FUNCTION f() RETURNS bigint RETURN 1 SELECT f()',
    'WITH SESSION a.b = 1 WITH FUNCTION f() RETURNS bigint RETURN 1 SELECT f()',
    "SELECT * FROM TABLE(shop.system.query('DELETE FROM t'))",
    "SELECT * FROM TABLE( /* x */ shop . system . raw_query (query => 'x'))",
    'SELECT * FROM TABLE("shop"."system"."query"(query => 1))',
    'SHOW CATALOGS',
    'SHOW SESSION',
    'SHOW ROLES',
    'SHOW GRANTS',
    'DESCRIBE INPUT p',
    'DESCRIBE OUTPUT p',
    'SET PATH a',
    'SET SESSION AUTHORIZATION bob',
    'GRANT SELECT ON t TO bob',
    'ANALYZE t',
    'SELECT 1; SELECT 2',
    "SELECT e'\\'; DROP TABLE t; --'",
    'SELECT $$; DROP TABLE t; SELECT $$',
    '/* /* */ DROP TABLE t -- */\nSELECT 1',
    "/* ' */ DROP TABLE t /* ' */",
    '-- x\rDROP TABLE t',
  ])('%s', (sql) => {
    expect(codeOf(sql)).toBe('read_only');
  });

  it.each([
    'SELECT * FROM globex.main.t',
    'SELECT * FROM "globex"."main"."t"',
    'SELECT * FROM GLOBEX . main . t',
    'TABLE globex.main.t',
    'SELECT * FROM shop.main.t, globex.main.t',
    'SELECT * FROM shop.main.t a JOIN globex.main.t b ON a.x = b.x',
    'SELECT * FROM shop.main.t a JOIN shop.main.u b ON a.x = b.x, globex.main.t',
    'SELECT * FROM (globex.main.t a CROSS JOIN shop.main.t b)',
    'SELECT * FROM (SELECT * FROM (SELECT * FROM globex.main.t))',
    'SELECT * FROM shop.main.t WHERE x IN (SELECT y FROM globex.main.t)',
    'WITH t AS (SELECT * FROM globex.main.t) SELECT * FROM t',
    'SELECT * FROM TABLE(exclude_columns(input => TABLE(globex.main.t), columns => DESCRIPTOR(a)))',
    'SELECT * FROM TABLE(exclude_columns(input => TABLE(SELECT * FROM globex.main.t), columns => DESCRIPTOR(a)))',
    'SELECT * FROM system.runtime.queries',
    'SELECT * FROM system.metadata.catalogs',
    'SELECT * FROM jmx.current."java.lang:type=runtime"',
    'SHOW SCHEMAS FROM globex',
    'SHOW SCHEMAS IN globex',
    'SHOW TABLES FROM globex.main',
    'SHOW COLUMNS FROM globex.main.t',
    'SHOW CREATE TABLE globex.main.t',
    'SHOW CREATE SCHEMA globex.main',
    'SHOW STATS FOR globex.main.t',
    'SHOW FUNCTIONS FROM globex.main',
    'DESCRIBE globex.main.t',
    'EXPLAIN SELECT * FROM globex.main.t',
    'SELECT 1 AS "DISTINCT" FROM globex.main.t',
    'SELECT 1 AS "." FROM globex.main.t',
    'SELECT DISTINCT FROM globex.main.t',
    'SELECT 1 AS "IS", 2 AS "DISTINCT" FROM globex.main.t',
    'SELECT 1. FROM globex.main.t',
    'SELECT 1.5FROM globex.main.t',
    'SELECT .5FROM globex.main.t',
    'SELECT 1.e5FROM globex.main.t',
    "SELECT 'a'FROM globex.main.t",
    'SELECT 1 FROM t limit, globex.main.t',
    'SELECT 1 FROM t offset, globex.main.t',
    'SELECT 1 FROM t fetch, globex.main.t',
    'SELECT 1 FROM t window, globex.main.t',
    "SELECT 1 FROM t JOIN u ON listagg(a) WITHIN GROUP (ORDER BY a) = 'a', globex.main.t",
    'SELECT 1 FROM t JOIN u ON trim(a FROM b) = c, globex.main.t',
    'SELECT 1 FROM t AS a (b, c), globex.main.t',
    'SELECT (SELECT 1 FROM globex.main.t) IS DISTINCT FROM 1',
    'SELECT trim((SELECT x FROM globex.main.t) FROM y)',
    'SELECT "TRIM"(x FROM globex.main.t)',
    'SELECT 1 FROM (t CROSS JOIN u), globex.main.t',
    'SELECT 1 FROM lateral.main.t',
    'SELECT globex.main.f(1)',
    'SELECT a FROM t WHERE "globex" . "main" . "f" (1) = 2 ORDER BY GLOBEX.main.f(a)',
    'SELECT * FROM TABLE(sequence(globex.main.f(1), 10))',
    'SELECT * FROM "ſhop".main.t',
    'SELECT * FROM "ＳＨＯＰ".main.t',
    'SELECT * FROM TABLE(exclude_columns(TABLE(shop.main.t), DESCRIPTOR(a) COPARTITION (globex.main.t, u)))',
    'SHOW CREATE FUNCTION globex.main.f',
    'SHOW CREATE VIEW globex.main.v',
    'SHOW CREATE MATERIALIZED VIEW globex.main.v',
    'SHOW COLUMNS IN globex.main.t',
    "SHOW FUNCTIONS IN globex.main LIKE 'f%'",
    'SHOW STATS FOR (SELECT * FROM globex.main.t)',
    'SHOW TABLES FROM globex.main.t',
    'SHOW SCHEMAS FROM "globex"',
    'DESC globex.main.t',
    'EXPLAIN (TYPE IO, FORMAT JSON) SELECT * FROM globex.main.t',
    'EXPLAIN ANALYZE VERBOSE SELECT * FROM globex.main.t',
    'SELECT * FROM system.information_schema.tables',
  ])('a catalog of another tenant: %s', (sql) => {
    expect(codeOf(sql)).toBe('permission_denied');
  });

  it('several statements, at the semicolon after the first and with Trino’s name', () => {
    expect(() => check("SELECT ';'\n; DROP TABLE t;")).toThrow(
      expect.objectContaining({
        ...{ code: 'read_only', location: { line: 2, column: 1 } },
        engineError: { name: 'SYNTAX_ERROR', code: 1, type: 'USER_ERROR' },
      }),
    );
  });

  it('a name that equals the tenant’s catalog only by lower case beyond ASCII', () => {
    const sql = 'SELECT * FROM "BOO\u212aS".main.t';
    expect(() => checkStatement(sql, { catalogs: ['books'] })).toThrow('is not one of yours');
    expect(checkStatement('SELECT * FROM "BOOKS".main.t', { catalogs: ['books'] })).toBeDefined();
  });

  it.each([
    'SELECT 1 FROM ſhop.main.t',
    'SELECT 1 FROM t\u00a0, u',
    'SELECT `a` FROM t',
    'SELECT a@b FROM t',
    "SELECT 1 'a",
    'SELECT 1 "a""',
    'SELECT 1 /* a',
    'SHOW TABLES globex.main',
    "SHOW TABLES LIKE 'a' FROM globex.main",
    'SHOW COLUMNS globex.main.t',
    'SHOW SCHEMAS FROM',
    'DESCRIBE t FROM main.t',
    'EXPLAIN (TYPE IO FORMAT JSON) SELECT 1',
    'EXPLAIN (TYPE "IO") SELECT 1',
  ])('what Trino’s grammar does not contain: %j', (sql) => {
    expect(codeOf(sql)).toBe('syntax_error');
  });

  it.each(['', ';', '-- x', '/* x */;', 'SELEKT 1', '1', "'x'", '(', 'EXPLAIN', ')'])(
    'text without a statement: %j',
    (sql) => {
      expect(codeOf(sql)).toBe('syntax_error');
    },
  );
});

describe('does not treat a quoted name as a keyword or a mark', () => {
  const all = [...TRINO_KEYWORDS.reserved, ...TRINO_KEYWORDS.nonReserved];
  const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
  const quoted = fc.oneof(
    fc.constantFrom(...all, ...all.map((word) => word.toLowerCase()), ...SQL_MARKS).map(quote),
    fc.string({ unit: 'grapheme', minLength: 1 }).map(quote),
  );
  const unquoted = fc.constantFrom(
    ...TRINO_KEYWORDS.nonReserved,
    ...TRINO_KEYWORDS.nonReserved.map((word) => word.toLowerCase()),
  );
  const alias = fc.oneof(quoted, unquoted);
  const gap = fc.constantFrom(' ', '\n', '/* " */', "-- '\n", '');
  /** Places where another tenant's table may be hidden after objects that are named `a`, `b` and so on. */
  const shapes: readonly ((names: readonly string[], foreign: string) => string)[] = [
    ([a], foreign) => `SELECT 1 AS ${a} FROM ${foreign}`,
    ([a, b], foreign) => `SELECT 1 AS ${a}, x AS ${b} FROM t AS ${a}, ${foreign}`,
    ([a, b], foreign) => `SELECT 1 FROM t ${a} CROSS JOIN u AS ${b}, ${foreign}`,
    ([a, b], foreign) => `SELECT 1 FROM (t AS ${a} CROSS JOIN u AS ${b}), ${foreign}`,
    ([a, b], foreign) => `SELECT 1 FROM t AS ${a} (${b}, c), ${foreign}`,
    ([a, b], foreign) => `SELECT 1 FROM t JOIN u ON t.${a} = u.${b}, ${foreign}`,
    ([a, b], foreign) => `SELECT 1 AS ${a} FROM t JOIN ${foreign} AS ${b} ON true`,
    ([a, b], foreign) => `WITH ${a} AS (SELECT 1 AS ${b}) SELECT 1 FROM t ${b}, ${foreign}`,
    ([a], foreign) => `SELECT x FROM t AS ${a} WHERE EXISTS (SELECT 1 AS ${a} FROM ${foreign})`,
    ([a], foreign) => `SELECT ${foreign}(1) AS ${a}`,
    ([a], foreign) => `SELECT 1 AS ${a} UNION TABLE ${foreign}`,
  ];
  const foreign = fc.constantFrom(
    'globex.main.t',
    '"globex".main.t',
    'Globex . "main" . t',
    '"GLOBEX"/* x */./* y */main.t',
  );

  it('rejects another tenant’s catalog, whatever the aliases are', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...shapes),
        fc.array(alias, { minLength: 2, maxLength: 2 }),
        foreign,
        gap,
        (shape, names, name, before) => {
          expect(codeOf(`${before}${shape(names, name)}`)).toBe('permission_denied');
        },
      ),
      { numRuns: shortOrLong(300, 3_000) },
    );
  });

  it('rejects it after each keyword and mark as an alias, quoted or not', () => {
    const wrong = [...all, ...SQL_MARKS].flatMap((word) =>
      [`SELECT 1 AS ${quote(word)} FROM globex.main.t`, `SELECT 1 FROM t AS ${quote(word)}, globex.main.t`].filter(
        (sql) => codeOf(sql) !== 'permission_denied',
      ),
    );
    const wrongUnquoted = TRINO_KEYWORDS.nonReserved
      .map((word) => `SELECT 1 FROM t ${word}, globex.main.t`)
      .filter((sql) => codeOf(sql) !== 'permission_denied');
    expect([...wrong, ...wrongUnquoted]).toEqual([]);
  });
});
