import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEmptyDuckDb } from '../../testing/open-duckdb.ts';
import { readResult } from '../../testing/read-result.ts';
import type { DuckDbEngine } from './duckdb-engine.ts';

let engine: DuckDbEngine;
beforeAll(async () => {
  engine = await openEmptyDuckDb();
});
afterAll(() => engine[Symbol.asyncDispose]());

describe('a statement that changes without its semicolon', () => {
  it.each(['SELECT 1 \u2028;', 'SELECT 1 \u2028 ;', 'SELECT 1 \u2028/**/;'])(
    'is rejected with a message that says what to do: %j',
    async (sql) => {
      await expect(readResult(engine, sql, { format: { name: 'json' } })).rejects.toMatchObject({
        code: 'syntax_error',
        message: expect.stringContaining('Remove the semicolon'),
      });
    },
  );
});

describe('a number that exceeds a double', () => {
  it.each([
    ['SELECT 1e309 AS v', '{"v":"Infinity"}'],
    ['SELECT -1e309 AS v', '{"v":"-Infinity"}'],
    ['SELECT 9e9999::FLOAT AS v', '{"v":"Infinity"}'],
    ['SELECT 1e-400 AS v', '{"v":0.0}'],
    [
      `SELECT 'a "Infinity" \\' AS "NaN", 1e309 AS "Infinity", 'NaN' AS v;`,
      String.raw`{"NaN":"a \"Infinity\" \\","Infinity":"Infinity","v":"NaN"}`,
    ],
    ['FROM range(3) AS r(v) WHERE v < 1e400 AND v > 1 LIMIT 1e2', '{"v":2}'],
    ['WITH t AS (SELECT 1e309 AS v) SELECT count(*) AS v FROM t WHERE v BETWEEN 1e309 AND 2e309', '{"v":1}'],
  ])('is infinite, as in the engine: %s', async (sql, expected) => {
    expect((await readResult(engine, sql, { format: { name: 'json' } })).rowsText).toBe(expected);
  });

  it.each([
    ["SELECT 1e309, 'Infinity\"' FROM read_csv('/etc/passwd')", 'read_only'],
    ['SELECT [1][1e309]', 'type_error'],
    ['SELECT 1 LIMIT 1e309', 'data_error'],
  ])('changes nothing in the verdict of the guard, nor in errors: %s', async (sql, code) => {
    await expect(readResult(engine, sql, { format: { name: 'json' } })).rejects.toMatchObject({ code });
  });
});

describe('the message for a rejected statement', () => {
  const SEVERAL = 'several statements in one request are not allowed.';
  const PIVOT = 'PIVOT without a list of its values (ON ... IN (...)) is not allowed.';

  it.each([
    ['SELECT 1; SELECT 2', SEVERAL],
    ['SELECT 1; PRAGMA database_list', SEVERAL],
    ['PRAGMA database_list; SELECT 1', SEVERAL],
    ["PRAGMA table_info('a'); PRAGMA table_info('b')", SEVERAL],
    ['EXPLAIN SELECT 1; DROP TABLE t', SEVERAL],
    ['SELECT 1; PIVOT t ON a', SEVERAL],
    ['PIVOT t ON a', PIVOT],
    ['FROM (PIVOT t ON a);', PIVOT],
    ['PRAGMA database_list', 'PRAGMA is not allowed.'],
    ["; /* a */ PRAGMA table_info(';') ; -- ; SELECT 1\n; /* ; */", 'PRAGMA is not allowed.'],
    ['EXPLAIN ANALYZE DROP TABLE t', 'DROP is not allowed.'],
    ['WITH a AS (SELECT 1) INSERT INTO t FROM a;', 'INSERT is not allowed.'],
  ])('says what is not allowed: %s', async (sql, reason) => {
    await expect(readResult(engine, sql, { format: { name: 'json' } })).rejects.toMatchObject({
      code: 'read_only',
      message: expect.stringContaining(`, and ${reason}`),
    });
  });

  it.each([
    ['SELECT 1; SELECT 2', { line: 1, column: 9 }],
    ["; SELECT ';'\n; DROP TABLE t", { line: 2, column: 1 }],
    ['EXPLAIN SELECT 1; DROP TABLE t', { line: 1, column: 17 }],
  ])('says where the first of several statements ends: %s', async (sql, location) => {
    const engineError = { name: 'SYNTAX_ERROR', code: 1, type: 'USER_ERROR' };
    await expect(readResult(engine, sql, { format: { name: 'json' } })).rejects.toMatchObject({
      location,
      engineError,
    });
  });
});
