import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Engine } from '@sluice/engine';
import { openEmptyDuckDb, readResult } from '@sluice/engine/testing';
import type { ClientSession } from '../client-session.ts';
import { putSessionFacts } from './put-session-facts.ts';

const SESSION = { catalog: 'demo', schema: undefined, timeZone: 'Europe/Paris' } as ClientSession;
const put = (sql: string): string =>
  putSessionFacts(sql, { session: SESSION, facts: { engine: 'duckdb', user: "o'ann" } });
const ANN = "CAST('o''ann' AS VARCHAR)";

describe('the facts of a session in a statement for DuckDB', () => {
  it.each([
    ['SELECT 1 FROM t WHERE owner = current_user', `SELECT 1 FROM t WHERE owner = ${ANN}`],
    ['SELECT current_user, a FROM t', `SELECT ${ANN} AS "current_user", a FROM t`],
    ['SELECT DISTINCT CURRENT_USER x FROM t', `SELECT DISTINCT ${ANN} x FROM t`],
    ['SELECT user(), session_user() FROM t', `SELECT ${ANN} AS "user()", ${ANN} AS "session_user()" FROM t`],
    ['SELECT f(a, current_user) FROM t', `SELECT f(a, ${ANN}) FROM t`],
    ['SELECT (SELECT current_user) FROM t', `SELECT (SELECT ${ANN} AS "current_user") FROM t`],
    ['SELECT a FROM t ORDER BY a, current_user', `SELECT a FROM t ORDER BY a, ${ANN}`],
    ['FROM t SELECT current_user UNION SELECT b', `FROM t SELECT ${ANN} AS "current_user" UNION SELECT b`],
    ['SELECT [a, current_user], b) FROM t', `SELECT [a, ${ANN}], b) FROM t`],
    ['SELECT version ( ) || a FROM t', "SELECT CAST('476-sluice-duckdb' AS VARCHAR) || a FROM t"],
    ['VALUES (current_timezone())', "VALUES (CAST('Europe/Paris' AS VARCHAR))"],
    [
      'SELECT a FROM t WHERE (current_catalog, current_schema) = (b, c)',
      "SELECT a FROM t WHERE (CAST('demo' AS VARCHAR), CAST(NULL AS VARCHAR)) = (b, c)",
    ],
  ])('%s', (sql, expected) => {
    expect(put(sql)).toBe(expected);
  });

  it.each([
    `SELECT "current_user", 'current_user', t.current_user, current_user.a FROM t -- current_user`,
    'SELECT a AS current_user, $$ version() $$, x.version(), version(1), version FROM t',
    'SELECT user, session_user, current_role FROM events GROUP BY user',
    'SELECT current_schema(), current_date FROM t',
    'SELECT current_user; SELECT 2',
    'SELECT 1',
  ])('are not in %s', (sql) => {
    expect(put(sql)).toBe(sql);
  });
});

describe('DuckDB', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await openEmptyDuckDb();
  });
  afterAll(async () => await engine?.[Symbol.asyncDispose]());

  const rowsOf = async (sql: string): Promise<string> =>
    (await readResult(engine, put(sql), { format: { name: 'json' } })).rowsText;

  it('groups, orders and filters by them, and names their columns as before', async () => {
    const sql = `SELECT current_user, count(*) AS n FROM (VALUES ('o''ann'), ('bob')) AS t(owner)
      WHERE owner = current_user GROUP BY current_user ORDER BY current_user, n`;
    expect(await rowsOf(sql)).toBe(`{"current_user":"o'ann","n":1}`);
  });

  it('has a column of the name in double quotes, and by its table', async () => {
    const sql = `SELECT "current_user" AS a, t.current_user AS b FROM (SELECT 1 AS "current_user") t`;
    expect(await rowsOf(sql)).toBe('{"a":1,"b":1}');
  });
});
