import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send, until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, idtoken, logIn, post, queryIdOf } from '@sluice/testkit/requests';

/** DuckDB's message names the type that no word of the SQL names. */
const FAILING = `SELECT CAST(word AS TINYINT) AS n FROM (VALUES ('Zürich'), ('three')) AS t (word)`;
const OTHER = 'SELECT 3 AS three';

let hosts: TestHosts;
let auditor: Credential;
let queryId: string;
/** A range that holds the records of this file only. */
let range: { readonly start: number; readonly end: number };
const runAs = (credential: Credential, sql: string): Promise<ReceivedResponse> =>
  post(`${hosts.url}/query`, { sql }, credential);
beforeAll(async () => {
  hosts = await startHosts();
  auditor = idtoken((await logIn(hosts, await hosts.build.user(hosts.acme, { roles: ['auditor'] }))).id_token);
  const start = Date.now();
  queryId = queryIdOf(await runAs(basicOf(hosts.ann), FAILING));
  await runAs(basicOf(hosts.ann), OTHER);
  const outcomes = 'select from audit_log where record_id is not null';
  await until(async () => ((await hosts.rows(outcomes)).length >= 2 ? true : undefined), { what: 'both outcomes' });
  range = { start, end: Date.now() + 1 };
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

interface Page {
  readonly total: number;
  readonly data: readonly { readonly query_id: string; readonly metadata: { readonly error?: { message: string } } }[];
  readonly next_page_token?: string;
}

const search = async (text: string, more: object = {}, options: object = {}): Promise<Page> => {
  const body = { ...range, ...more, advance_options: { text, ...options } };
  const { status, body: page } = await post(`${hosts.api.url}/audits/logs/search`, body, auditor);
  expect(status).toBe(200);
  return page as Page;
};
const idsOf = ({ data }: Page) => data.map(({ query_id }) => query_id);

describe('a search for words', () => {
  it.each([
    ['a word of the message', 'convert'],
    ['another one, in any case', 'COULD convert'],
    ['words of the message and of the SQL together', 'convert tinyint zurich'],
    ['a word of the message and the target', 'convert {id}'],
  ])('finds a failed statement by %s', async (_what, text) => {
    const page = await search(text.replace('{id}', queryId));
    expect([page.total, idsOf(page)]).toEqual([1, [queryId]]);
    expect(page.data[0]?.metadata.error?.message).toMatch(/conver/i);
  });

  it('finds nothing for a word that is in no message, SQL or target', async () => {
    for (const text of ['nosuchword', 'convert nosuchword', 'convert "SELECT 3"'])
      expect(await search(text)).toMatchObject({ total: 0, data: [] });
  });

  it('combines with the other filters', async () => {
    expect((await search('convert', {}, { user_name: hosts.ann.email, action: 'RUN_QUERY' })).total).toBe(1);
    expect((await search('convert', {}, { exclude_actions: ['RUN_QUERY'] })).total).toBe(0);
    expect((await search('convert', {}, { query_id: randomUUID() })).total).toBe(0);
    expect((await search('convert', {}, { query_id: queryId })).total).toBe(1);
  });

  it('finds a statement that failed days after it began', async () => {
    const late = randomUUID();
    await hosts.rows(
      `with q as (
         insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata, query_id)
         values ($1, gen_random_uuid(), now() - interval '40 days', 'ann@example.com', 'RUN_QUERY', $2::text, '{"sql": "SELECT 4"}', $2::text::uuid) returning *)
       insert into audit_log (tenant_id, id, record_id, occurred, user_name, action, target, metadata, query_id)
       select tenant_id, gen_random_uuid(), id, now(), user_name, action, target,
         '{"state": "FAILED", "error": {"code": "INTERNAL", "message": "The glacier melted."}}'::jsonb, query_id from q`,
      [hosts.acme.id, late],
    );
    const all = { start: range.start - 50 * 86_400_000 };
    expect(idsOf(await search('glacier', all))).toEqual([late]);
    expect(idsOf(await search('GLÁCIER melted', { ...all, sort_value: 'asc' }))).toEqual([late]);
  });

  it('shows the pages of one view: an outcome that was written after the first page adds no record to the next ones', async () => {
    const record = randomUUID();
    await hosts.rows(
      `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata, query_id)
       select $1, case n when 2 then $2::uuid else gen_random_uuid() end, now() - interval '90 days' - n * interval '1 second', 'ann@example.com', 'RUN_QUERY',
         case n when 2 then 'open' else 'marmot' end, '{}', gen_random_uuid() from generate_series(0, 2) n`,
      [hosts.acme.id, record],
    );
    const all = { start: range.start - 100 * 86_400_000, size: 1 };
    const first = await search('marmot', all);
    expect([first.total, first.data.length]).toEqual([2, 1]);
    await hosts.rows(
      `insert into audit_log (tenant_id, id, record_id, occurred, user_name, action, target, metadata, query_id)
       select tenant_id, gen_random_uuid(), id, now(), user_name, action, target, '{"error": {"code": "INTERNAL", "message": "marmot"}}'::jsonb, query_id
       from audit_log where id = $1`,
      [record],
    );
    const { body } = await send(`${hosts.api.url}/audits/logs/search?page_token=${first.next_page_token}`, {
      headers: auditor,
    });
    expect([body.total, body.data.length, body.data[0].target, body.next_page_token]).toEqual([
      2,
      1,
      'marmot',
      undefined,
    ]);
    expect((await search('marmot', all)).total).toBe(3);
  });

  it('never finds the records of another tenant', async () => {
    const other = await hosts.build.user(hosts.globex, { roles: ['auditor'] });
    const { id_token } = await logIn(hosts, other, 'globex');
    const body = { ...range, advance_options: { text: 'convert' } };
    const found = await post(`${hosts.api.url}/audits/logs/search`, body, idtoken(id_token));
    expect([found.status, found.body.total, found.body.data]).toEqual([200, 0, []]);
  });
});

it('an export for words of a message has the record and its outcome', async () => {
  const body = { ...range, advance_options: { text: 'convert' } };
  const { text } = await post(`${hosts.api.url}/audits/logs/export`, body, auditor);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { query_id?: string; record_id?: string | null; metadata?: object });
  expect(lines.slice(0, -1).map(({ query_id, record_id }) => [query_id, record_id === null])).toEqual([
    [queryId, true],
    [queryId, false],
  ]);
});

it('the stream sends the outcome of a statement that fails while it is followed', async () => {
  const leaving = new AbortController();
  const response = await fetch(`${hosts.api.url}/audits/logs/stream?text=convert`, {
    headers: auditor,
    signal: leaving.signal,
  });
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  })().catch(() => undefined);
  await runAs(basicOf(hosts.ann), OTHER);
  const failed = queryIdOf(await runAs(basicOf(hosts.ann), FAILING));
  await until(() => (text.includes(`"query_id":"${failed}"`) ? true : undefined), { what: 'the outcome of the query' });
  leaving.abort();
  await reading;
  expect(text).toContain('Could not convert');
  expect(text).not.toContain('SELECT 3');
});
