import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  basicOf,
  bestOfTries,
  type Credential,
  eventsOf,
  idtoken,
  logIn,
  QUERY_PATHS,
  type QueryPath,
  rejectionMsMax,
  sendTimed,
  type TimedAnswer,
} from '@sluice/testkit/requests';

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

const sendTo = (path: QueryPath, body: string | Buffer, headers: Credential | string[] = ann): Promise<TimedAnswer> =>
  sendTimed({ url: hosts.url, path, body, headers });

async function queryCount(): Promise<number> {
  const [counted] = await hosts.rows<{ n: number }>('select count(*)::int as n from queries');
  return counted?.n ?? -1;
}

const json = (body: object): string => JSON.stringify(body);
const withSql = (sql: string): string => json({ sql });

describe.each(QUERY_PATHS)('POST %s', (path) => {
  it.each<[string, string | Buffer, number, readonly string[]]>([
    ['an empty body', '', 400, []],
    ['a form instead of JSON', 'sql=SELECT 1', 400, []],
    ['truncated JSON', '{"sql":"SELECT 1"', 400, []],
    ['two JSON documents', '{"sql":"SELECT 1"}{"sql":"SELECT 2"}', 400, []],
    ['invalid UTF-8', Buffer.from('{"sql":"SELECT \xff"}', 'latin1'), 400, []],
    ['deeply nested JSON', `{"sql":${'['.repeat(90_000)}${']'.repeat(90_000)}}`, 400, []],
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
    'rejects %s within a second, names every invalid field and records no query',
    async (_what, body, status, paths) => {
      const before = await queryCount();
      const { answer } = await bestOfTries({ url: hosts.url, path, body, headers: ann });
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ error: expect.stringMatching(/^[a-z_]+$/), message: expect.any(String) });
      const details = (answer.body.details ?? []) as { path: string }[];
      expect(details.map((detail) => detail.path).sort()).toEqual(paths);
      expect(answer.ms).toBeLessThan(rejectionMsMax());
      expect(await queryCount()).toBe(before);
    },
  );

  it('returns 400 for two credentials in one header or in two', async () => {
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

  it('returns 431 for a header of 100 KB', async () => {
    const answer = await sendTo(path, withSql('SELECT 1'), { ...ann, 'x-large': 'x'.repeat(100_000) });
    expect([answer.status, answer.body.error]).toEqual([431, 'headers_too_large']);
    expect((await sendTo(path, withSql('SELECT 1'), { idtoken: 'x'.repeat(12_000) })).status).toBe(401);
  });

  it('rejects query parameters and names each of them', async () => {
    const answer = await send(`${hosts.url}${path}?sql=SELECT+1&size=5`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...ann },
      body: withSql('SELECT 1'),
    });
    expect(answer.status).toBe(400);
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toEqual(['query.sql', 'query.size']);
  });
});

describe('POST /query', () => {
  it.each(['0', '-1', '1.5', '"5"', '9007199254740992', '1e400', 'true', 'null', '[5]'])(
    'returns 400 for size %s and names the field',
    async (size) => {
      const answer = await sendTo('/query', `{"sql":"SELECT 1","size":${size}}`);
      expect([answer.status, answer.body.details?.[0]?.path]).toEqual([400, 'body.size']);
    },
  );

  it('accepts the largest safe integer as size', async () => {
    const answer = await sendTo('/query', `{"sql":"SELECT 1","size":${Number.MAX_SAFE_INTEGER}}`);
    expect((await eventsOf(answer)).at(-1)).toEqual({ type: 'complete' });
  });

  it('stays ready and keeps its workers usable', async () => {
    expect((await send(`${hosts.url}/ready`)).status).toBe(200);
    expect((await eventsOf(await sendTo('/query', withSql('SELECT count(*) AS n FROM items')))).at(1)).toEqual({
      type: 'row',
      data: { n: 3 },
    });
    expect(hosts.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});
