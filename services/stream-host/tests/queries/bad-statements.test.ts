import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  basicOf,
  bestOfTries,
  type Credential,
  codeOf,
  post,
  QUERY_PATHS,
  rejectionMsMax,
} from '@sluice/testkit/requests';

// Statements for DuckDB. Those for Trino are in on-trino.servers.ts.
let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts({ WORKERS_WARM: '2' });
  ann = basicOf(hosts.ann);
  await post(`${hosts.url}/query`, { sql: 'SELECT 1' }, ann);
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

/** Returns a hash of the database folder and the number of recorded queries. */
async function storedState(): Promise<{ readonly files: string; readonly queries: number }> {
  const names = (await readdir(hosts.folder, { recursive: true })).sort();
  const hash = createHash('sha256').update(JSON.stringify(names));
  hash.update(await readFile(join(hosts.folder, 'shop.duckdb')));
  const [counted] = await hosts.rows<{ n: number }>('select count(*)::int as n from queries');
  return { files: hash.digest('hex'), queries: counted?.n ?? -1 };
}

const withSql = (sql: string): string => JSON.stringify({ sql });

describe.each(QUERY_PATHS)('POST %s', (path) => {
  it.each([
    ['several statements', 'SELECT 1; SELECT 2', 'READ_ONLY'],
    ['a write', `INSERT INTO items VALUES (4, 'x', 1)`, 'READ_ONLY'],
    ['a write after a read', 'SELECT 1; DELETE FROM items', 'READ_ONLY'],
    ['a write after a comment', '/* SELECT */ DELETE FROM items -- SELECT', 'READ_ONLY'],
    ['a write in WITH', 'WITH gone AS (DELETE FROM items RETURNING *) SELECT * FROM gone', undefined],
    ['a write under EXPLAIN ANALYZE', 'EXPLAIN ANALYZE DELETE FROM items', 'READ_ONLY'],
    ['a write in a prepared statement', 'PREPARE p AS DELETE FROM items', 'READ_ONLY'],
    ['a table', 'CREATE TEMP TABLE t AS SELECT 1', 'READ_ONLY'],
    ['a copy to a file', `COPY items TO '/tmp/sluice-items.csv'`, 'READ_ONLY'],
    ['a database', `ATTACH ':memory:' AS m`, 'READ_ONLY'],
    ['a setting', 'SET lock_configuration = false', 'READ_ONLY'],
    ['a pragma', 'PRAGMA database_list', 'READ_ONLY'],
    ['a call', 'CALL enable_logging()', 'READ_ONLY'],
    ['the query log of other users', `SELECT * FROM enable_logging('QueryLog')`, 'READ_ONLY'],
    ['the settings', 'SELECT * FROM duckdb_settings()', 'READ_ONLY'],
    ['SQL in a string', `SELECT * FROM query('DELETE FROM items')`, 'READ_ONLY'],
    ['a file', `SELECT * FROM read_text('/etc/passwd')`, 'READ_ONLY'],
    ['a file as a table', `SELECT * FROM '/etc/passwd'`, undefined],
    ['the network', `SELECT * FROM read_csv('http://127.0.0.1:1/x')`, 'READ_ONLY'],
    ['an extension', 'INSTALL httpfs', 'READ_ONLY'],
    ['a transaction', 'BEGIN', 'READ_ONLY'],
    ['a checkpoint', 'CHECKPOINT', 'READ_ONLY'],
    ['a pattern that splits a character', "SELECT regexp_extract('é', '\\C') AS a", 'NOT_SUPPORTED'],
    ['100,000 parentheses', `SELECT ${'('.repeat(100_000)}1${')'.repeat(100_000)}`, undefined],
    ['100,000 nested functions', `SELECT ${'abs('.repeat(50_000)}1${')'.repeat(50_000)}`, undefined],
    ['an unclosed string', `SELECT '${'x'.repeat(200_000)}`, 'SYNTAX_ERROR'],
  ])('%s fails with a client error code and changes nothing', async (_what, sql, code) => {
    const before = await storedState();
    const { answer, tries } = await bestOfTries({ url: hosts.url, path, body: withSql(sql), headers: ann });
    expect(answer.status).toBe(path === '/query' ? 200 : 400);
    const reported = await codeOf(path, answer);
    if (code !== undefined) expect(reported).toBe(code);
    expect(reported).toEqual(
      expect.stringMatching(/^(READ_ONLY|SYNTAX_ERROR|TABLE_NOT_FOUND|RESOURCE_LIMIT|NOT_SUPPORTED)$/),
    );
    expect(answer.text).not.toContain(hosts.folder);
    expect(answer.ms).toBeLessThan(rejectionMsMax());
    expect(await storedState()).toEqual({ ...before, queries: before.queries + tries });
  });
});

describe('POST /query', () => {
  it('logs no error of the host', () => {
    expect(hosts.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});
