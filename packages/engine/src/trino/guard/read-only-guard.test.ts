import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
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

describe('lets through', () => {
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
  ])('%j without what stands behind it', (sql, sent) => {
    expect(check(sql)).toBe(sent);
  });
});

describe('refuses', () => {
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
  ])('another’s catalog: %s', (sql) => {
    expect(codeOf(sql)).toBe('permission_denied');
  });

  it.each(['', ';', '-- x', '/* x */;', 'SELEKT 1', '1', "'x'", '(', 'EXPLAIN', ')'])(
    'what is no statement: %j',
    (sql) => {
      expect(codeOf(sql)).toBe('syntax_error');
    },
  );
});
