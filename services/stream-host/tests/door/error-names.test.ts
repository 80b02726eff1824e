import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential } from '@sluice/testkit/requests';
import { run, type TrinoPage } from './trino-client.ts';

let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts({ TRINO_DOOR: 'true' });
  ann = basicOf(hosts.ann);
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

/** Runs a statement that must fail. Returns its error. */
async function errorOf(sql: string, headers: Credential = {}): Promise<NonNullable<TrinoPage['error']>> {
  const { last } = await run(hosts.url, sql, { ...ann, ...headers });
  if (last.error === undefined) throw new Error(`${sql} did not fail`);
  return last.error;
}

describe('a statement that fails on DuckDB has the name and number of Trino', () => {
  it.each([
    ['SELECT * FROM no_such_table', 'TABLE_NOT_FOUND', 46],
    ['SELECT * FROM no_such_schema.items', 'SCHEMA_NOT_FOUND', 45],
    ['SELECT * FROM no_such_catalog.a.b', 'CATALOG_NOT_FOUND', 44],
    ['SELECT no_such_column FROM items', 'COLUMN_NOT_FOUND', 47],
    ['SELECT id FROM items a, items b', 'AMBIGUOUS_NAME', 62],
    ['SELECT id, count(*) FROM items', 'EXPRESSION_NOT_AGGREGATE', 73],
    ['SELECT no_such_function(1)', 'FUNCTION_NOT_FOUND', 6],
    ["SELECT CAST('abc' AS integer)", 'INVALID_CAST_ARGUMENT', 9],
    ['SELECT CAST(name AS integer) FROM items', 'INVALID_CAST_ARGUMENT', 9],
    ["SELECT CAST('maybe' AS boolean)", 'INVALID_CAST_ARGUMENT', 9],
    ['SELECT CAST(1e30 AS integer)', 'INVALID_CAST_ARGUMENT', 9],
    ['SELECT CAST(300.5 AS decimal(2, 1))', 'INVALID_CAST_ARGUMENT', 9],
    ['SELECT CAST(300 AS tinyint)', 'NUMERIC_VALUE_OUT_OF_RANGE', 19],
    ['SELECT CAST(id AS tinyint) FROM items ORDER BY id DESC', 'NUMERIC_VALUE_OUT_OF_RANGE', 19],
    ['SELECT id + 1 FROM items', 'NUMERIC_VALUE_OUT_OF_RANGE', 19],
    ['SELECT CAST([1] AS integer)', 'TYPE_MISMATCH', 58],
    ["SELECT CAST('1' AS no_such_type)", 'TYPE_NOT_FOUND', 43],
    ["SELECT 1 + 'a'", 'TYPE_MISMATCH', 58],
    ['SELECT sqrt(-1)', 'INVALID_FUNCTION_ARGUMENT', 7],
    ['SELECT (SELECT id FROM items) AS one', 'SUBQUERY_MULTIPLE_ROWS', 28],
    ['SELECT FROM WHERE', 'SYNTAX_ERROR', 1],
    ['SELECT 1; SELECT 2', 'SYNTAX_ERROR', 1],
    ['DROP TABLE items', 'READ_ONLY_VIOLATION', 23],
  ])('%s', async (sql, errorName, errorCode) => {
    expect(await errorOf(sql)).toMatchObject({ errorName, errorCode, errorType: 'USER_ERROR' });
  });

  it('and the place of a catalog that does not exist', async () => {
    const { errorLocation } = await errorOf('SELECT *\n  FROM no_such_catalog.a.b');
    expect(errorLocation).toEqual({ lineNumber: 2, columnNumber: 8 });
  });

  it('and says which of catalog and schema of the session does not exist', async () => {
    const catalog = { 'x-trino-catalog': 'no_such_catalog', 'x-trino-schema': 'main' };
    expect(await errorOf('SELECT * FROM items', catalog)).toMatchObject({
      errorName: 'CATALOG_NOT_FOUND',
      errorCode: 44,
    });
    const schema = { 'x-trino-schema': 'no_such_schema' };
    expect(await errorOf('SELECT * FROM items', schema)).toMatchObject({
      errorName: 'SCHEMA_NOT_FOUND',
      errorCode: 45,
    });
  });
});

describe('a wrong number of parameters', () => {
  const prepared = { 'x-trino-prepared-statement': `s=${encodeURIComponent('SELECT ?, ?')}` };
  it.each([
    ["EXECUTE IMMEDIATE 'SELECT ?, ?' USING 1", 20],
    ["EXECUTE IMMEDIATE 'SELECT ?' USING 1, 2", 20],
    ["EXECUTE IMMEDIATE 'SELECT ?'", 20],
    ['EXECUTE s USING 1', 1],
    ['EXECUTE s USING 1, 2, 3', 1],
  ])('is reported where the statement begins: %s', async (sql, columnNumber) => {
    expect(await errorOf(sql, prepared)).toMatchObject({
      ...{ errorName: 'INVALID_PARAMETER_USAGE', errorCode: 80, errorType: 'USER_ERROR' },
      errorLocation: { lineNumber: 1, columnNumber },
    });
  });
});
