import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answered, basicOf, type Credential, eventsOf, idtoken, logIn, send } from './requests.ts';
import { startHosts, type TestHosts } from './start-hosts.ts';

let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts({ WORKERS_WARM: '2' });
  ann = basicOf(hosts.ann);
  await send(`${hosts.url}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...ann },
    body: '{"sql":"SELECT 1"}',
  });
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const ROUTES = ['/query', '/query/download/json', '/query/download/csv'] as const;
type Path = (typeof ROUTES)[number];

interface Timed extends Answered {
  readonly ms: number;
}

async function sendTo(path: Path, body: string | Buffer, headers: Credential | string[] = ann): Promise<Timed> {
  const begun = performance.now();
  const sent = Array.isArray(headers)
    ? [
        'host',
        '127.0.0.1',
        'content-type',
        'application/json',
        'content-length',
        String(Buffer.byteLength(body)),
        ...headers,
      ]
    : { 'content-type': 'application/json', ...headers };
  const answer = await send(`${hosts.url}${path}`, { method: 'POST', headers: sent, body });
  return { ...answer, ms: performance.now() - begun };
}

/** What the route said of the query: the code of the last event, of the result set, or of the error. */
async function codeOf(path: Path, answer: Answered): Promise<unknown> {
  if (path !== '/query') return path.endsWith('json') ? answer.body.code : answer.body.error.toUpperCase();
  return (await eventsOf(answer)).at(-1)?.['code'];
}

/** The database file with what stands beside it, and how many queries are on record. */
async function effects(): Promise<{ readonly files: string; readonly queries: number }> {
  const names = (await readdir(hosts.folder, { recursive: true })).sort();
  const hash = createHash('sha256').update(JSON.stringify(names));
  hash.update(await readFile(join(hosts.folder, 'shop.duckdb')));
  const [counted] = await hosts.rows<{ n: number }>('select count(*)::int as n from queries');
  return { files: hash.digest('hex'), queries: counted?.n ?? -1 };
}

const json = (body: object): string => JSON.stringify(body);
const withSql = (sql: string): string => json({ sql });

describe.each(ROUTES)('POST %s', (path) => {
  it.each<[string, string | Buffer, number, readonly string[]]>([
    ['nothing at all', '', 400, []],
    ['no JSON', 'sql=SELECT 1', 400, []],
    ['cut JSON', '{"sql":"SELECT 1"', 400, []],
    ['two JSON texts', '{"sql":"SELECT 1"}{"sql":"SELECT 2"}', 400, []],
    ['no UTF-8', Buffer.from('{"sql":"SELECT \xff"}', 'latin1'), 400, []],
    ['deep JSON', `{"sql":${'['.repeat(90_000)}${']'.repeat(90_000)}}`, 400, []],
    ['an array', '[{"sql":"SELECT 1"}]', 400, ['body']],
    ['a string', '"SELECT 1"', 400, ['body']],
    ['null', 'null', 400, ['body']],
    ['no sql', '{}', 400, ['body.sql']],
    [
      'unknown and mistyped keys',
      json({ SQL: 1, sql: 1, constructor: 1, big_numbers: 1 }),
      400,
      ['body.SQL', 'body.big_numbers', 'body.constructor', 'body.sql'],
    ],
    ['a prototype', '{"sql":"SELECT 1","__proto__":{"admin":true}}', 400, ['body.__proto__']],
    ['empty SQL', withSql(''), 400, ['body.sql']],
    ['blank SQL', withSql(' \n\t\u00a0'), 400, ['body.sql']],
    ['SQL with NUL', withSql('SELECT 1\0'), 400, ['body.sql']],
    ['half a surrogate pair', '{"sql":"SELECT \'\\ud800\'"}', 400, ['body.sql']],
    ['SQL of 262,145 bytes', withSql(`SELECT '${'x'.repeat(262_145 - 9)}'`), 400, ['body.sql']],
    ['SQL of 262,145 bytes in fewer characters', withSql(`SELECT '${'€'.repeat(87_379)}'`), 400, ['body.sql']],
    ['an offset for a time zone', json({ sql: 'SELECT 1', time_zone: '+05:00' }), 400, ['body.time_zone']],
    [
      'an unknown time zone',
      json({ sql: 'SELECT 1', time_zone: "UTC'; DROP TABLE items; --" }),
      400,
      ['body.time_zone'],
    ],
    ['2 MiB and more', json({ sql: 'x'.repeat(2 * 1024 * 1024) }), 413, []],
  ])(
    '%s is refused within a second, every mistake named, and no query is on record',
    async (_what, body, status, paths) => {
      const before = await effects();
      const { answer } = await bestOfTries(path, body);
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ error: expect.stringMatching(/^[a-z_]+$/), message: expect.any(String) });
      const details = (answer.body.details ?? []) as { path: string }[];
      expect(details.map((detail) => detail.path).sort()).toEqual(paths);
      expect(answer.ms).toBeLessThan(REFUSED_WITHIN_MS);
      expect(await effects()).toEqual(before);
    },
  );

  it.each([
    ['several statements', 'SELECT 1; SELECT 2', 'READ_ONLY'],
    ['a write', `INSERT INTO items VALUES (4, 'x', 1)`, 'READ_ONLY'],
    ['a write behind a read', 'SELECT 1; DELETE FROM items', 'READ_ONLY'],
    ['a write behind a comment', '/* SELECT */ DELETE FROM items -- SELECT', 'READ_ONLY'],
    ['a write in WITH', 'WITH gone AS (DELETE FROM items RETURNING *) SELECT * FROM gone', undefined],
    ['a write under EXPLAIN ANALYZE', 'EXPLAIN ANALYZE DELETE FROM items', 'READ_ONLY'],
    ['a write in a prepared statement', 'PREPARE p AS DELETE FROM items', 'READ_ONLY'],
    ['a table', 'CREATE TEMP TABLE t AS SELECT 1', 'READ_ONLY'],
    ['a copy to a file', `COPY items TO '/tmp/sluice-items.csv'`, 'READ_ONLY'],
    ['a database', `ATTACH ':memory:' AS m`, 'READ_ONLY'],
    ['a setting', 'SET lock_configuration = false', 'READ_ONLY'],
    ['a pragma', 'PRAGMA database_list', 'READ_ONLY'],
    ['a call', 'CALL enable_logging()', 'READ_ONLY'],
    ['the logs of others', `SELECT * FROM enable_logging('QueryLog')`, 'READ_ONLY'],
    ['the settings', 'SELECT * FROM duckdb_settings()', 'READ_ONLY'],
    ['SQL in a string', `SELECT * FROM query('DELETE FROM items')`, 'READ_ONLY'],
    ['a file', `SELECT * FROM read_text('/etc/passwd')`, 'READ_ONLY'],
    ['a file as a table', `SELECT * FROM '/etc/passwd'`, undefined],
    ['the network', `SELECT * FROM read_csv('http://127.0.0.1:1/x')`, 'READ_ONLY'],
    ['an extension', 'INSTALL httpfs', 'READ_ONLY'],
    ['a transaction', 'BEGIN', 'READ_ONLY'],
    ['a checkpoint', 'CHECKPOINT', 'READ_ONLY'],
    ['a parameter', 'SELECT $1', 'NOT_SUPPORTED'],
    ['100,000 parentheses', `SELECT ${'('.repeat(100_000)}1${')'.repeat(100_000)}`, undefined],
    ['100,000 nested functions', `SELECT ${'abs('.repeat(50_000)}1${')'.repeat(50_000)}`, undefined],
    ['an unclosed string', `SELECT '${'x'.repeat(200_000)}`, 'SYNTAX_ERROR'],
  ])('%s ends as an error of the query, changes nothing, and never is our fault', async (_what, sql, code) => {
    const before = await effects();
    const { answer, tries } = await bestOfTries(path, withSql(sql));
    expect(answer.status).toBe(path === '/query' ? 200 : 400);
    const told = await codeOf(path, answer);
    if (code !== undefined) expect(told).toBe(code);
    expect(told).toEqual(
      expect.stringMatching(/^(READ_ONLY|SYNTAX_ERROR|TABLE_NOT_FOUND|RESOURCE_LIMIT|NOT_SUPPORTED)$/),
    );
    expect(answer.text).not.toContain(hosts.folder);
    expect(answer.ms).toBeLessThan(REFUSED_WITHIN_MS);
    expect(await effects()).toEqual({ ...before, queries: before.queries + tries });
  });

  it('two credentials, in one header or two, are 400', async () => {
    const tokens = await logIn(hosts, hosts.ann);
    const basic = ann['authorization'] ?? '';
    const doubled: (Credential | string[])[] = [
      { ...ann, ...idtoken(tokens.id_token) },
      ['authorization', basic, 'authorization', basic],
      ['idtoken', tokens.id_token, 'idtoken', tokens.id_token],
      ['authorization', basic, 'authorization', `Bearer ${tokens.access_token}`],
    ];
    for (const headers of doubled) {
      const answer = await sendTo(path, withSql('SELECT 1'), headers);
      expect([answer.status, answer.body.error]).toEqual([400, 'ambiguous_credentials']);
    }
  });

  it('a header of 100 KB is 431', async () => {
    const answer = await sendTo(path, withSql('SELECT 1'), { ...ann, 'x-large': 'x'.repeat(100_000) });
    expect([answer.status, answer.body.error]).toEqual([431, 'headers_too_large']);
    expect((await sendTo(path, withSql('SELECT 1'), { idtoken: 'x'.repeat(12_000) })).status).toBe(401);
  });

  it('query parameters are refused, each by its name', async () => {
    const answer = await send(`${hosts.url}${path}?sql=SELECT+1&size=5`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...ann },
      body: withSql('SELECT 1'),
    });
    expect(answer.status).toBe(400);
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toEqual(['query.sql', 'query.size']);
  });
});

/** What a refusal may take. Other tests run beside this one and only ever add to it, so the best of a few tries counts. */
const REFUSED_WITHIN_MS = 1_000;
const TRIES_MAX = 5;

async function bestOfTries(path: Parameters<typeof sendTo>[0], body: string | Buffer) {
  let answer = await sendTo(path, body);
  let tries = 1;
  for (; answer.ms >= REFUSED_WITHIN_MS && tries < TRIES_MAX; tries += 1) answer = await sendTo(path, body);
  return { answer, tries };
}

describe('POST /query', () => {
  it.each(['0', '-1', '1.5', '"5"', '9007199254740992', '1e400', 'true', 'null', '[5]'])(
    'size %s is 400 that says so',
    async (size) => {
      const answer = await sendTo('/query', `{"sql":"SELECT 1","size":${size}}`);
      expect([answer.status, answer.body.details?.[0]?.path]).toEqual([400, 'body.size']);
    },
  );

  it('a condition that DuckDB takes seconds to read is given up in time, and its worker with it', async () => {
    const answer = await sendTo('/query', withSql(`SELECT 1 WHERE ${'1=1 or '.repeat(30_000)}1=1`));
    expect(await codeOf('/query', answer)).toBe('RESOURCE_LIMIT');
    expect(answer.ms).toBeLessThan(4000);
  });

  it('size may be as large as an integer can be told', async () => {
    const answer = await sendTo('/query', `{"sql":"SELECT 1","size":${Number.MAX_SAFE_INTEGER}}`);
    expect((await eventsOf(answer)).at(-1)).toEqual({ type: 'complete' });
  });

  it('the host is as well as before, and its workers too', async () => {
    expect((await send(`${hosts.url}/ready`)).status).toBe(200);
    expect((await eventsOf(await sendTo('/query', withSql('SELECT count(*) AS n FROM items')))).at(1)).toEqual({
      type: 'row',
      data: { n: 3 },
    });
    expect(hosts.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});
