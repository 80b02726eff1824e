import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, bearer, type Credential, clientToken, post, queryIdOf, startQuery } from '@sluice/testkit/requests';
import { ENDLESS } from '@sluice/testkit/statements';

let hosts: TestHosts;
let ann: Credential;
let bob: Credential;
beforeAll(async () => {
  hosts = await startHosts();
  ann = basicOf(hosts.ann);
  bob = basicOf(await hosts.build.user(hosts.acme));
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const history = (credential: Credential, query = '') =>
  send(`${hosts.url}/query/history${query}`, { headers: { ...credential } });
const run = async (sql: string, credential: Credential, path = '/query') =>
  queryIdOf(await post(`${hosts.url}${path}`, { sql }, credential));
const idsOf = (answer: Awaited<ReturnType<typeof history>>): string[] =>
  answer.body.data.map(({ query_id }: { query_id: string }) => query_id);
const reader = async (): Promise<Credential> => basicOf(await hosts.build.user(hosts.acme));

describe('GET /query/history', () => {
  it('lists the caller’s own queries and downloads, newest first, with their receipts', async () => {
    const own = await reader();
    const first = await run('SELECT 1 AS one', own);
    const second = await run('SELECT 1 AS two UNION ALL SELECT 2', own, '/query/download/csv');
    const failed = await run('SELECT * FROM no_such_table', own);
    await run('SELECT 3 AS three', bob);
    const answer = await history(own);
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(Object.keys(answer.body)).toEqual(['data']);
    expect(answer.body.data).toEqual([
      {
        query_id: failed,
        kind: 'QUERY',
        sql: 'SELECT * FROM no_such_table',
        item_id: null,
        datamap_id: null,
        parameters: null,
        state: 'FAILED',
        rows: 0,
        limited: false,
        bytes: expect.any(Number),
        started_ts: expect.any(Number),
        ended_ts: expect.any(Number),
        error: { code: 'TABLE_NOT_FOUND', message: expect.any(String) },
        kept_until: null,
      },
      expect.objectContaining({ query_id: second, kind: 'DOWNLOAD', state: 'FINISHED', rows: 2, error: null }),
      expect.objectContaining({ query_id: first, kind: 'QUERY', state: 'FINISHED', rows: 1 }),
    ]);
    expect(idsOf(await history({ ...own, host: 'acme-stream.localhost' }))).toHaveLength(3);
  });

  it('says which results a limit cut', async () => {
    const own = await reader();
    const body = { sql: 'SELECT * FROM range(3)', size: 2 };
    const cut = queryIdOf(await post(`${hosts.url}/query`, body, own));
    const whole = queryIdOf(await post(`${hosts.url}/query`, { ...body, size: 3 }, own));
    expect((await history(own)).body.data).toMatchObject([
      { query_id: whole, state: 'FINISHED', rows: 3, limited: false },
      { query_id: cut, state: 'FINISHED', rows: 2, limited: true },
    ]);
  });

  it('filters by state, kind, time and text, in which wildcards have no meaning', async () => {
    const own = await reader();
    const percent = await run(`SELECT '100%_\\' AS Share`, own);
    const csv = await run('SELECT 1 AS plain', own, '/query/download/csv');
    const failed = await run('SELECT nothing FROM nowhere', own);
    const [newest, , oldest] = (await history(own)).body.data;
    const listed = async (query: string) => idsOf(await history(own, query));
    expect(await listed('?state=FAILED')).toEqual([failed]);
    expect(await listed('?kind=DOWNLOAD')).toEqual([csv]);
    expect(await listed('?kind=QUERY&state=FINISHED')).toEqual([percent]);
    expect(await listed(`?q=${encodeURIComponent('%_\\')}`)).toEqual([percent]);
    expect(await listed('?q=SHARE')).toEqual([percent]);
    expect(await listed(`?q=${encodeURIComponent("' or 1=1 --")}`)).toEqual([]);
    expect(await listed(`?since=${newest.started_ts + 1}`)).toEqual([]);
    expect(await listed(`?until=${oldest.started_ts + 1}&since=${oldest.started_ts}`)).toContain(percent);
    expect(await listed('?until=100000000000')).toEqual([]);
  });

  it('ends a page at 1 MiB of texts, and misses no query', async () => {
    const own = await reader();
    const long = (index: number) => `SELECT ${index} --${'x'.repeat(260_000)}`;
    const all: string[] = [];
    for (let index = 0; index < 7; index += 1) all.unshift(await run(long(index), own));
    const pages: string[][] = [];
    for (let query: string | undefined = ''; query !== undefined; ) {
      const answer = await history(own, query);
      expect(answer.bytes.length).toBeLessThan(1.5 * 2 ** 20);
      pages.push(idsOf(answer));
      const token: string | undefined = answer.body.next_page_token;
      query = token === undefined ? undefined : `?page_token=${encodeURIComponent(token)}`;
    }
    expect(pages).toEqual([all.slice(0, 5), all.slice(5)]);
  });

  it('lists a running query with its progress, and pages that neither repeat nor miss a query', async () => {
    const own = await reader();
    const all: string[] = [];
    for (let index = 0; index < 5; index += 1) all.unshift(await run(`SELECT ${index}`, own));
    const started = await startQuery(hosts.url, ENDLESS, own);
    const first = await history(own, '?size=2');
    expect(first.body.data[0]).toMatchObject({ query_id: started.queryId, state: 'RUNNING', ended_ts: null });
    started.disconnect();
    // A query that begins between two pages is on neither.
    await run('SELECT 99', own);
    const ids = idsOf(first);
    let token: string | undefined = first.body.next_page_token;
    while (token !== undefined) {
      const next = await history(own, `?size=2&page_token=${token}`);
      expect(next.status).toBe(200);
      ids.push(...idsOf(next));
      token = next.body.next_page_token;
    }
    expect(ids).toEqual([started.queryId, ...all]);
  });

  it('rejects the token of another caller or with other filters, and accepts it on another host', async () => {
    const own = await reader();
    for (let index = 0; index < 3; index += 1) await run('SELECT 7 AS seven', own);
    const token = (await history(own, '?size=1&kind=QUERY')).body.next_page_token;
    const repeated = await history(own, `?size=1&kind=QUERY&page_token=${token}`);
    expect(idsOf(repeated)).toEqual(idsOf(await history(own, `?size=1&page_token=${token}`)));
    const changed = `${token.slice(0, -2)}${token.endsWith('A') ? 'B' : 'A'}${token.slice(-1)}`;
    for (const answer of [
      await history(bob, `?page_token=${token}`),
      await history(own, `?page_token=${token}&kind=DOWNLOAD`),
      await history(own, `?page_token=${token}&q=seven`),
      await history(own, `?page_token=${changed}`),
      await history(own, '?page_token=..%2F..%2Fetc'),
      await history(own, '?page_token='),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_page_token']);
    }
  });

  it.each([
    ['size=0', 'query.size'],
    ['size=1001', 'query.size'],
    ['size=1.5', 'query.size'],
    ['state=finished', 'query.state'],
    ['kind=OTHER', 'query.kind'],
    ['since=yesterday', 'query.since'],
    ['since=200000000000&until=100000000000', 'query.since'],
    ['since=1700000000', 'query.since'],
    ['until=1700000000', 'query.until'],
    ['q=%00', 'query.q'],
    ['page=1', 'query.page'],
  ])('returns 400 for %s', async (query, path) => {
    const answer = await history(ann, `?${query}`);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    expect(answer.body.details).toEqual([expect.objectContaining({ path })]);
  });

  it('returns 401 without a credential, an own list to each account, and writes no audit record', async () => {
    expect((await history({})).status).toBe(401);
    const client = bearer(await clientToken(hosts, await hosts.build.client(hosts.acme)));
    const other = basicOf(await hosts.build.user(hosts.globex));
    const before = await hosts.rows('select id from audit_log');
    expect((await history(client)).body).toEqual({ data: [] });
    expect((await history({ ...other, host: 'globex-stream.localhost' })).body).toEqual({ data: [] });
    expect(await hosts.rows('select id from audit_log')).toHaveLength(before.length);
  });

  it('hides what is older than QUERY_HISTORY, and keeps its receipt', async () => {
    const own = await reader();
    const old = await run('SELECT 1', own);
    await hosts.rows(`update query_history set started = started - interval '31 days' where query_id = $1`, [old]);
    await hosts.rows(`update queries set started = started - interval '31 days' where query_id = $1`, [old]);
    expect((await history(own)).body).toEqual({ data: [] });
    expect((await history(own, '?since=100000000000')).body).toEqual({ data: [] });
    expect((await send(`${hosts.url}/query/${old}`, { headers: { ...own } })).status).toBe(200);
  });
});
