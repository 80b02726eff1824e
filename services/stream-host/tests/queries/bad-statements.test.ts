import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, codeOf, post, QUERY_PATHS } from '@sluice/testkit/requests';
import { BAD_STATEMENTS } from './bad-statements.ts';

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

describe.each(QUERY_PATHS)('POST %s', (path) => {
  it.each(BAD_STATEMENTS)('%s fails with a client error code and changes nothing', async (_what, sql, code) => {
    const before = await storedState();
    const answer = await post(`${hosts.url}${path}`, { sql }, ann);
    expect(answer.status).toBe(path === '/query' ? 200 : 400);
    const reported = await codeOf(path, answer);
    if (code !== undefined) expect(reported).toBe(code);
    expect(reported).toEqual(
      expect.stringMatching(/^(READ_ONLY|SYNTAX_ERROR|TABLE_NOT_FOUND|RESOURCE_LIMIT|NOT_SUPPORTED)$/),
    );
    expect(answer.text).not.toContain(hosts.folder);
    expect(await storedState()).toEqual({ ...before, queries: before.queries + 1 });
  });
});

describe('POST /query', () => {
  it('logs no error of the host', () => {
    expect(hosts.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});
