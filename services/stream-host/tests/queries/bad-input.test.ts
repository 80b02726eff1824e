import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  basicOf,
  type Credential,
  eventsOf,
  idtoken,
  logIn,
  postRaw,
  QUERY_PATHS,
  type QueryPath,
} from '@sluice/testkit/requests';
import { BAD_BODIES } from './bad-bodies.ts';

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

const sendTo = (
  path: QueryPath,
  body: string | Buffer,
  headers: Credential | string[] = ann,
): Promise<ReceivedResponse> => postRaw({ url: hosts.url, path, body, headers });

async function queryCount(): Promise<number> {
  const [counted] = await hosts.rows<{ n: number }>('select count(*)::int as n from queries');
  return counted?.n ?? -1;
}

const json = (body: object): string => JSON.stringify(body);
const withSql = (sql: string): string => json({ sql });

describe.each(QUERY_PATHS)('POST %s', (path) => {
  it.each(BAD_BODIES)(
    'rejects %s, names every invalid field and records no query',
    async (_what, body, status, paths) => {
      const before = await queryCount();
      const answer = await sendTo(path, body);
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ error: expect.stringMatching(/^[a-z_]+$/), message: expect.any(String) });
      const details = (answer.body.details ?? []) as { path: string }[];
      expect(details.map((detail) => detail.path).sort()).toEqual(paths);
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
