import { expect, it } from '@jest/globals';
import { rewrittenParts } from './rewritten-statement.ts';

const DEFAULTS = { defaultCatalog: 'tpch', defaultSchema: 'tiny' };
const NATION = { catalog: 'tpch', schema: 'tiny', name: 'nation' };

it.each<readonly [sql: string, query: string]>([
  ['EXPLAIN SELECT * FROM nation', 'SELECT * FROM nation'],
  [
    'explain (TYPE IO, FORMAT JSON)\n/* a */ WITH t AS (SELECT 1) TABLE t -- end',
    'WITH t AS (SELECT 1) TABLE t -- end',
  ],
  ['EXPLAIN (SELECT 1) UNION (SELECT 2)', '(SELECT 1) UNION (SELECT 2)'],
  ['EXPLAIN (TYPE VALIDATE) VALUES 1', 'VALUES 1'],
  ['SHOW STATS FOR (SELECT * FROM nation)', '(SELECT * FROM nation)'],
  ['EXPLAIN SHOW STATS FOR (SELECT * FROM nation)', '(SELECT * FROM nation)'],
])('the query that %j plans is %j', (sql, query) => {
  const { query: range, table } = rewrittenParts(sql, DEFAULTS);
  expect([sql.slice(range?.start, range?.end), table]).toEqual([query, undefined]);
});

it.each([
  'DESCRIBE nation',
  'DESC "Nation"',
  'EXPLAIN DESCRIBE tiny.nation',
  "SHOW COLUMNS FROM tpch.tiny.nation LIKE 'a%'",
  'show columns in TPCH . Tiny /* . */ . NATION',
  'SHOW STATS FOR tiny.nation',
  'SHOW CREATE TABLE nation',
  'SHOW CREATE VIEW nation',
  'SHOW CREATE MATERIALIZED VIEW nation',
  'EXPLAIN ANALYZE SHOW CREATE TABLE nation',
])('%j names a table', (sql) => {
  expect(rewrittenParts(sql, DEFAULTS)).toEqual({ table: NATION });
});

it.each([
  'SELECT * FROM nation',
  'EXPLAIN ANALYZE SELECT * FROM nation',
  'EXPLAIN ANALYZE VERBOSE SELECT * FROM nation',
  'SHOW TABLES FROM tiny',
  'SHOW SCHEMAS',
  'SHOW FUNCTIONS',
  'SHOW CREATE SCHEMA tiny',
  'SHOW CREATE FUNCTION nation',
])('%j has no such part', (sql) => {
  expect(rewrittenParts(sql, DEFAULTS)).toEqual({});
});

it('a name without a schema is that of no table if the session has no schema', () => {
  expect(rewrittenParts('DESCRIBE nation', { defaultCatalog: 'tpch' })).toEqual({ table: undefined });
});
