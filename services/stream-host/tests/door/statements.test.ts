import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, finalReceipt, post, sha256Of } from '@sluice/testkit/requests';
import { countTo, ENDLESS, MISSPELT } from '@sluice/testkit/statements';
import { begin, begun, follow, get, rowsOf, run, type TrinoPage } from './trino-client.ts';

let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts({ TRINO_DOOR: 'true' });
  ann = basicOf(hosts.ann);
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const receiptOf = (id: string) => finalReceipt(hosts.url, id, { credential: ann });

describe('the answer to a statement', () => {
  it('has no rows and no columns, but the address of the first page and of the query in the console', async () => {
    const answer = await begin(hosts.url, 'SELECT 1 AS one', ann);
    const { id, nextUri, infoUri, stats, ...rest } = answer.body as TrinoPage;
    expect([answer.status, answer.headers['x-query-id'], rest]).toEqual([200, id, { warnings: [] }]);
    expect(nextUri).toMatch(new RegExp(`^${hosts.url}/v1/statement/executing/${id}/[\\w-]{43}/0$`));
    expect(infoUri).toBe(`https://acme.issuer.test/console/results/${id}`);
    expect(stats).toMatchObject({ state: 'QUEUED', queued: true, processedRows: 0 });
    expect((await follow(answer.body, ann)).last.stats.state).toBe('FINISHED');
  });

  it('comes for any media type and none', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json', undefined]) {
      const headers = type === undefined ? ann : { ...ann, 'content-type': type };
      const answer = await send(`${hosts.url}/v1/statement`, { method: 'POST', headers, body: 'SELECT 1 AS one' });
      expect([type, answer.status]).toEqual([type, 200]);
      await follow(answer.body, ann);
    }
  });

  it('is a status for what is refused before it is recorded', async () => {
    const tooLong = `SELECT '${'x'.repeat(262_144)}'`;
    const cases = [
      ['SELECT 1', {}, 401],
      ['', ann, 400],
      [' \n', ann, 400],
      [Buffer.from([0x53, 0xff]), ann, 400],
      [tooLong, ann, 413],
    ] as const;
    for (const [body, headers, status] of cases) {
      const answer = await send(`${hosts.url}/v1/statement`, { method: 'POST', headers: { ...headers }, body });
      expect([String(body).slice(0, 20), answer.status]).toEqual([String(body).slice(0, 20), status]);
    }
    expect((await send(`${hosts.url}/v1/statement`, { method: 'PUT', headers: { ...ann } })).status).toBe(405);
  });

  it('returns 403 and writes ACCESS_DENIED for the name of another account', async () => {
    const names = ['x-trino-user', 'x-trino-original-user'];
    for (const name of names) {
      const answer = await begin(hosts.url, 'SELECT 1', { ...ann, [name]: 'bob@example.com' });
      expect([answer.status, answer.body.error]).toEqual([403, 'access_denied']);
      const own = await begin(hosts.url, 'SELECT 1', { ...ann, [name]: hosts.ann.email.toUpperCase() });
      expect(own.status).toBe(200);
      await follow(own.body, ann);
    }
    const records = await hosts.rows(
      `select metadata from audit_log where action = 'ACCESS_DENIED' and user_name = $1`,
      [hosts.ann.email],
    );
    expect(records).toEqual(names.map(() => ({ metadata: { as_user: 'bob@example.com' } })));
  });
});

describe('SET SESSION AUTHORIZATION', () => {
  it('takes the name of the caller, without X-Trino-User and in another case', async () => {
    for (const headers of [ann, { ...ann, 'x-trino-user': hosts.ann.email.toUpperCase() }]) {
      const first = await begun(hosts.url, `SET SESSION AUTHORIZATION '${hosts.ann.email.toUpperCase()}'`, headers);
      const page = await get(first.nextUri ?? '', ann);
      expect([page.body.error, page.headers['x-trino-set-authorization-user']]).toEqual([
        undefined,
        hosts.ann.email.toUpperCase(),
      ]);
    }
    const { last } = await run(hosts.url, "SET SESSION AUTHORIZATION 'bob@example.com'", ann);
    expect(last.error?.message).toContain(`User ${hosts.ann.email} cannot impersonate user bob@example.com`);
  });
});

describe('the pages of a statement', () => {
  it('have their rows for a client that asks for spooled ones', async () => {
    const headers = { ...ann, 'x-trino-query-data-encoding': 'json+zstd,json+lz4,json' };
    const followed = await run(hosts.url, 'SELECT id FROM items WHERE id < 3 ORDER BY id', headers);
    expect(rowsOf(followed)).toEqual([[1], [2]]);
    expect(followed.pages.every(({ data }) => data === undefined || Array.isArray(data))).toBe(true);
  });

  it('have the rows of POST /query, with decimals as strings, and their receipt describes the rows as sent', async () => {
    const sql = 'SELECT * FROM items ORDER BY id';
    const followed = await run(hosts.url, sql, ann);
    expect(followed.rowsText).toBe('[1,"nut","0.10"],\n[2,"bolt, long","250.00"],\n[9223372036854775807,null,null]');
    expect(followed.last.columns).toEqual([
      { name: 'id', type: 'bigint', typeSignature: { rawType: 'bigint', arguments: [] } },
      {
        name: 'name',
        type: 'varchar',
        typeSignature: { rawType: 'varchar', arguments: [{ kind: 'LONG', value: 2_147_483_647 }] },
      },
      {
        name: 'price',
        type: 'decimal(10, 2)',
        typeSignature: {
          rawType: 'decimal',
          arguments: [
            { kind: 'LONG', value: 10 },
            { kind: 'LONG', value: 2 },
          ],
        },
      },
    ]);
    const bytes = Buffer.from(followed.rowsText);
    expect(await receiptOf(followed.id)).toMatchObject({
      ...{ state: 'FINISHED', rows: 3, bytes: bytes.length, sha256: sha256Of(bytes), limited: false, error: null },
    });
  });

  it('have all rows of a long result, once each, in pages of about a mebibyte', async () => {
    const followed = await run(hosts.url, countTo(500_000), ann);
    expect(rowsOf(followed).map(([n]) => n)).toEqual(Array.from({ length: 500_000 }, (_, n) => n));
    const bytes = Buffer.from(followed.rowsText);
    expect(await receiptOf(followed.id)).toMatchObject({ rows: 500_000, sha256: sha256Of(bytes), bytes: bytes.length });
    expect(followed.pages.length).toBeGreaterThan(3);
    expect(followed.pages.slice(0, -1).every(({ nextUri }) => nextUri !== undefined)).toBe(true);
  });

  it('can be asked for again, with the same bytes', async () => {
    const first = await begun(hosts.url, countTo(300_000), ann);
    let uri = first.nextUri;
    for (let count = 0; uri !== undefined && count < 3; count += 1) {
      const one = await get(uri, ann);
      const other = await get(uri, ann);
      const dataOf = ({ body }: typeof one) => [body.data, body.nextUri];
      expect(dataOf(other)).toEqual(dataOf(one));
      uri = (one.body as TrinoPage).nextUri;
    }
    expect((await get(first.nextUri ?? '', ann)).body).toMatchObject({ error: 'gone' });
    await follow({ id: first.id, ...(uri === undefined ? {} : { nextUri: uri }) }, ann);
  });

  it('are compressed on request', async () => {
    const { id, nextUri = '' } = await begun(hosts.url, countTo(50_000), ann);
    await receiptOf(id); // the page of a query that has no rows yet is too small
    const page = await get(nextUri, { ...ann, 'accept-encoding': 'gzip' });
    expect([page.status, page.headers['content-encoding']]).toEqual([200, 'gzip']);
  });

  it('are of their account alone, and of no address that a host has not given out', async () => {
    const { id, nextUri = '' } = await begun(hosts.url, countTo(10), ann);
    const [mark, position] = nextUri.split('/').slice(-2) as [string, string];
    const bob = basicOf(await hosts.build.user(hosts.acme));
    const admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin', 'analyst'] }));
    const eve = { ...basicOf(await hosts.build.user(hosts.globex)), host: 'globex-stream.localhost' };
    for (const other of [bob, admin, eve]) {
      expect((await get(nextUri, other)).status).toBe(404);
      expect((await get(nextUri, other, { method: 'DELETE' })).status).toBe(404);
      expect((await get(`${hosts.url}/v1/query/${id}`, other)).status).toBe(404);
    }
    expect((await get(nextUri, {})).status).toBe(401);
    const base = `${hosts.url}/v1/statement/executing`;
    const wrong = [
      `${id}/${mark}/1`,
      `${id}/${mark}/-1`,
      `${id}/${mark}/00`,
      `${id}/${mark}/1000000000`,
      `${id}/${mark}/${position}m`,
      `${id}/${mark.slice(0, -1)}/${position}`,
      `${id}/${'A'.repeat(43)}/${position}`,
      `00000000-0000-4000-8000-000000000000/${mark}/${position}`,
    ];
    for (const path of wrong)
      expect([path, (await get(`${base}/${path}`, ann)).status]).toEqual([path, expectedOf(path)]);
    expect((await get(nextUri, ann)).status).toBe(200);
  });

  it('end with the error of a statement, with its name, number and place', async () => {
    const syntax = await run(hosts.url, MISSPELT.sql, ann);
    expect(syntax.last).toMatchObject({
      error: {
        ...{ errorName: 'SYNTAX_ERROR', errorCode: 1, errorType: 'USER_ERROR' },
        errorLocation: { lineNumber: 1, columnNumber: MISSPELT.column },
        failureInfo: { suppressed: [], stack: [] },
      },
      stats: { state: 'FAILED' },
    });
    expect(syntax.last.nextUri).toBeUndefined();
    const write = await run(hosts.url, 'DROP TABLE items', ann);
    expect(write.last.error).toMatchObject({ errorName: 'READ_ONLY_VIOLATION', errorCode: 23 });
    const missing = await run(hosts.url, 'SELECT * FROM absent', ann);
    expect(missing.last.error).toMatchObject({ errorName: 'TABLE_NOT_FOUND', errorCode: 46 });
    expect(await receiptOf(missing.id)).toMatchObject({ state: 'FAILED', error: { code: 'TABLE_NOT_FOUND' } });
  });

  it('have three digits of seconds, and no number, for a client that knows no others', async () => {
    const sql = `SELECT TIMESTAMP '2026-01-02 03:04:05.123987' AS t, [TIME '01:02:03'] AS l, 7::HUGEINT AS h`;
    const old = await run(hosts.url, sql, { ...ann, 'x-trino-client-capabilities': '' });
    expect(rowsOf(old)).toEqual([['2026-01-02 03:04:05.123', ['01:02:03.000'], '7']]);
    expect(old.last.columns?.map(({ type }) => type)).toEqual(['timestamp', 'array(time)', 'varchar']);
    const capable = await run(hosts.url, sql, ann);
    expect(rowsOf(capable)).toEqual([['2026-01-02 03:04:05.123987', ['01:02:03.000000'], '7']]);
    expect(capable.last.columns?.map(({ type }) => type)).toEqual(['timestamp(6)', 'array(time(6))', 'number']);
  });

  it('runs without a catalog if the session has the catalog of the service, as that of SQLAlchemy has by default', async () => {
    const session = { ...ann, 'x-trino-catalog': 'system' };
    expect(rowsOf(await run(hosts.url, 'SELECT 1 AS one', session))).toEqual([[1]]);
    expect(rowsOf(await run(hosts.url, 'SELECT count(*) > 0 FROM jdbc.catalogs', session))).toEqual([[true]]);
  });

  it('are in the time zone of the client', async () => {
    const sql = `SELECT hour(TIMESTAMPTZ '2026-07-01 12:00:00+00') AS h`;
    const zoned = await run(hosts.url, sql, { ...ann, 'x-trino-time-zone': 'Asia/Kolkata' });
    expect(rowsOf(zoned)).toEqual([[17]]);
    const unknown = await run(hosts.url, sql, { ...ann, 'x-trino-time-zone': 'Nowhere/At_All' });
    expect(unknown.last.error?.errorName).toBe('INVALID_SESSION_PROPERTY');
  });
});

/** A text that cannot be a position violates the parameters of the path. */
const expectedOf = (path: string): number => (/\/-1$/.test(path) ? 400 : 404);

describe('DESCRIBE OUTPUT', () => {
  const described = async (sql: string): Promise<readonly (readonly unknown[])[]> => {
    const prepare = await run(hosts.url, `PREPARE s FROM ${sql}`, ann);
    const headers = { ...ann, 'x-trino-prepared-statement': `s=${encodeURIComponent(sql)}` };
    const { pages, last } = await run(hosts.url, 'DESCRIBE OUTPUT s', headers);
    expect([prepare.last.error, last.error]).toEqual([undefined, undefined]);
    return pages.flatMap(({ data = [] }) => data).map(([name, , , , type]) => [name, type]);
  };

  it.each([
    ['SELECT * FROM system.jdbc.catalogs WHERE table_cat = ?', [['table_cat', 'varchar']]],
    [
      'SELECT table_name AS t, count(*) AS n FROM system.information_schema.tables WHERE table_schema = ? GROUP BY 1',
      [
        ['t', 'varchar'],
        ['n', 'bigint'],
      ],
    ],
    ['SHOW TABLES FROM system.jdbc', [['Table', 'varchar']]],
    ['SHOW SESSION', ['Name', 'Value', 'Default', 'Type', 'Description'].map((name) => [name, 'varchar'])],
    [
      'SELECT id, name FROM items WHERE id = ?',
      [
        ['id', 'bigint'],
        ['name', 'varchar'],
      ],
    ],
  ])('has the columns of %s', async (sql, columns) => {
    expect(await described(sql)).toEqual(columns);
  });
});

describe('current_user in a statement that reads data', () => {
  it('is the account, and so in what EXECUTE runs and DESCRIBE OUTPUT describes', async () => {
    const sql = `SELECT current_user, id FROM items WHERE current_user = '${hosts.ann.email}' AND id < ?`;
    const headers = { ...ann, 'x-trino-prepared-statement': `s=${encodeURIComponent(sql)}` };
    const executed = await run(hosts.url, 'EXECUTE s USING 2', headers);
    expect(rowsOf(executed)).toEqual([[hosts.ann.email, 1]]);
    const described = await run(hosts.url, 'DESCRIBE OUTPUT s', headers);
    expect(rowsOf(described).map(([name, , , , type]) => [name, type])).toEqual([
      ['current_user', 'varchar'],
      ['id', 'bigint'],
    ]);
  });
});

describe('a statement', () => {
  it('is recorded with what its client says about itself, before it runs', async () => {
    const { id } = await run(hosts.url, 'SELECT 42 AS answer', {
      ...ann,
      'x-trino-source': 'a tool',
      'x-trino-client-info': 'x'.repeat(2_000),
      'x-trino-client-tags': 'nightly, finance',
      'x-trino-trace-token': 'trace-1',
      'x-trino-transaction-id': 'NONE',
    });
    const [record] = await hosts.rows<{ metadata: object }>(
      `select metadata from audit_log where action = 'RUN_QUERY' and query_id = $1 and record_id is null`,
      [id],
    );
    expect(record?.metadata).toMatchObject({
      ...{ format: 'trino', source: 'a tool', client_info: 'x'.repeat(1_000), trace_token: 'trace-1' },
      client_tags: ['nightly', 'finance'],
    });
    expect(record?.metadata).not.toHaveProperty('transaction');
  });

  it('is cancelled by a page or by its id, at once', async () => {
    for (const byId of [false, true]) {
      const first = await begun(hosts.url, ENDLESS, ann);
      const uri = byId ? `${hosts.url}/v1/query/${first.id}` : (first.nextUri ?? '');
      expect((await get(uri, ann, { method: 'DELETE' })).status).toBe(204);
      const { last } = await follow(first, ann);
      expect(last.error).toMatchObject({ errorName: 'USER_CANCELED', errorCode: 3 });
      expect((await receiptOf(first.id)).state).toBe('CANCELLED');
      expect((await get(uri, ann, { method: 'DELETE' })).status).toBe(204);
    }
  });

  it('is described by its id', async () => {
    const { id } = await run(hosts.url, 'SELECT 1 AS one', ann);
    const { status, body } = await get(`${hosts.url}/v1/query/${id}`, ann);
    expect([status, body]).toMatchObject([
      200,
      { queryId: id, state: 'FINISHED', query: 'SELECT 1 AS one', self: `${hosts.url}/v1/query/${id}` },
    ]);
    expect((await get(`${hosts.url}/v1/query/unknown`, ann)).status).toBe(404);
  });
});

describe('the paths of Trino clients', () => {
  it('take headers of 64 KiB, and the other paths 16 KiB', async () => {
    const large = { ...ann, 'x-trino-prepared-statement': `s=${'x'.repeat(40_000)}` };
    expect((await begin(hosts.url, 'SELECT 1', large)).status).toBe(200);
    expect((await post(`${hosts.url}/query`, { sql: 'SELECT 1' }, large)).status).toBe(431);
    expect((await send(`${hosts.url}/nowhere`, { headers: large })).status).toBe(431);
    expect((await begin(hosts.url, 'SELECT 1', { ...ann, 'x-trino-session': 'x'.repeat(70_000) })).status).toBe(431);
  });

  it('answer what drivers and proxies ask about a server', async () => {
    expect((await send(`${hosts.url}/v1/statement`, { method: 'HEAD', headers: { ...ann } })).status).toBe(200);
    expect((await send(`${hosts.url}/v1/statement`, { method: 'HEAD' })).status).toBe(401);
    expect((await send(`${hosts.url}/v1/info`)).body).toMatchObject({ starting: false, nodeVersion: {} });
    expect((await send(`${hosts.url}/v1/info/state`)).body).toBe('ACTIVE');
  });

  it('do not exist unless the deployment turns them on', async () => {
    await using other = await startHosts();
    expect((await begin(other.url, 'SELECT 1', basicOf(other.ann))).status).toBe(404);
    expect((await send(`${other.url}/v1/info`)).status).toBe(404);
  }, 60_000);
});
