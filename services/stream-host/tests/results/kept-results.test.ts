import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@sluice/observability';
import { startStreamHost } from '@sluice/stream-host';
import { type ReceivedResponse, send, until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, eventsOf, finalReceipt, post, queryIdOf } from '@sluice/testkit/requests';
import { countTo } from '@sluice/testkit/statements';

let folder: string;
let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-kept-'));
  hosts = await startHosts({
    RESULT_FOLDER: join(folder, 'results'),
    RESULT_KEY: randomBytes(32).toString('base64'),
    RESULT_KEEP_MAX: '24h',
  });
  ann = basicOf(hosts.ann);
}, 120_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const query = (sql: string, keep: unknown = '1h', headers: Credential = ann): Promise<ReceivedResponse> =>
  post(`${hosts.url}/query`, { sql, keep }, headers);
const lastOf = async (answer: ReceivedResponse): Promise<Record<string, unknown>> =>
  (await eventsOf(answer)).at(-1) ?? {};
const rowsOf = (id: string, search = '', headers: Credential = ann): Promise<ReceivedResponse> =>
  send(`${hosts.url}/query/${id}/rows${search}`, { headers });

async function files(): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

async function keepQuery(sql: string, keep = '1h'): Promise<string> {
  const answer = await query(sql, keep);
  expect(await lastOf(answer)).toEqual({ type: 'complete', kept_until: expect.any(Number) });
  return queryIdOf(answer);
}

describe('a kept result', () => {
  it('has the rows of its stream, with exact digits', async () => {
    const before = Date.now();
    const id = await keepQuery('SELECT * FROM items ORDER BY id');
    const page = await rowsOf(id);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`"data":[
{"id":1,"name":"nut","price":0.10},
{"id":2,"name":"bolt, long","price":250.00},
{"id":9223372036854775807,"name":null,"price":null}
]}`);
    expect(page.body).toMatchObject({
      metadata: {
        columns: [
          { name: 'id', type: 'bigint' },
          { name: 'name', type: 'varchar' },
          { name: 'price', type: 'decimal(10,2)' },
        ],
        type: 'metadata',
      },
      query_id: id,
      rows: 3,
      limited: false,
      from: 0,
    });
    const { as_of: asOf, expires_ts: expires } = page.body as unknown as Record<'as_of' | 'expires_ts', number>;
    expect(asOf).toBeGreaterThanOrEqual(before - 60_000);
    expect(expires - before).toBeGreaterThan(3_590_000);
    const strings = await rowsOf(id, '?size=1&big_numbers=string');
    expect(strings.text).toContain('{"id":"1","name":"nut","price":0.10}');
  });

  it('returns any page, and nothing beyond its end', async () => {
    const id = await keepQuery(countTo(30_000));
    for (const [from, size, expected] of [
      [0, 2, [0, 1]],
      [29_999, 5, [29_999]],
      [12_345, 1, [12_345]],
      [30_000, 10, []],
      [999_999_999, 1, []],
    ] as const) {
      const { body } = await rowsOf(id, `?from=${from}&size=${size}`);
      const { data, rows } = body as unknown as { data: readonly { n: number }[]; rows: number };
      expect([data.map(({ n }) => n), rows]).toEqual([expected, 30_000]);
    }
    expect(((await rowsOf(id)).body as unknown as { data: unknown[] }).data).toHaveLength(1_000);
  });

  it('is of the account that ran the query alone, and each read names the query in the audit log', async () => {
    const id = await keepQuery('SELECT 42 AS secret_answer');
    const bob = basicOf(await hosts.build.user(hosts.acme));
    const admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] }));
    const eve = { ...basicOf(await hosts.build.user(hosts.globex)), host: 'globex-stream.localhost' };
    for (const other of [bob, admin, eve]) expect((await rowsOf(id, '', other)).status).toBe(404);
    expect((await rowsOf(id, '', {})).status).toBe(401);
    expect((await rowsOf(id, '?from=0&size=7')).status).toBe(200);
    const records = await hosts.rows<{ user_name: string; metadata: unknown }>(
      `select user_name, metadata from audit_log where action = 'READ_RESULT' and query_id = $1`,
      [id],
    );
    expect(records).toEqual([{ user_name: hosts.ann.email, metadata: { from: 0, size: 7, tables_read: [] } }]);
    const [run] = await hosts.rows<{ keep: string }>(
      `select metadata ->> 'keep' as keep from audit_log where action = 'RUN_QUERY' and query_id = $1 and record_id is null`,
      [id],
    );
    expect(run).toEqual({ keep: '1h' });
  });

  it('is only ciphertext on the disk', async () => {
    const id = await keepQuery(`SELECT 'the-very-secret-word' AS secret_column FROM numbers LIMIT 5000`);
    const contents = await Promise.all((await files()).map((file) => readFile(file)));
    expect(contents.length).toBeGreaterThan(0);
    for (const content of contents)
      for (const text of ['secret', 'varchar', id]) expect(content.includes(text)).toBe(false);
  });

  it('ends with its time, and its bytes are removed', async () => {
    const id = await keepQuery('SELECT 1 AS a', '1s');
    await until(async () => ((await rowsOf(id)).status === 404 ? true : undefined), { what: 'the expiry' });
    const ofResult = async () => (await files()).filter((file) => file.endsWith(id));
    await hosts.stream.context.resultPurge?.purge();
    expect(await ofResult()).toEqual([]);
    expect(await hosts.rows('select 1 from kept_results where query_id = $1', [id])).toEqual([]);
  });

  it('is detected as damaged when its file was changed or replaced', async () => {
    const [first, second] = [await keepQuery('SELECT 1 AS a'), await keepQuery('SELECT 2 AS a')];
    const fileOf = async (id: string) => (await files()).find((file) => file.endsWith(id)) ?? '';
    const path = await fileOf(first);
    const own = await readFile(path);
    await writeFile(path, await readFile(await fileOf(second)));
    expect((await rowsOf(first)).status).toBe(500);
    const changed = Buffer.from(own);
    changed[changed.length >> 1] = (changed[changed.length >> 1] ?? 0) ^ 1;
    await writeFile(path, changed);
    const answer = await rowsOf(first);
    expect(answer.status !== 200 || !answer.isWhole).toBe(true);
    await writeFile(path, own);
    expect((await rowsOf(first)).status).toBe(200);
    await rm(path);
    expect((await rowsOf(first)).status).toBe(503);
  });
});

describe('a host that was killed while it kept a result', () => {
  it('leaves nothing that can be read, and nothing that stays', async () => {
    const id = await keepQuery('SELECT 1 AS a');
    const [file = ''] = (await files()).filter((path) => path.endsWith(id));
    // The state of a host that SIGKILL ended: its row is not complete, it sends no heartbeat, and its file has no name yet.
    const lost = randomUUID();
    await rename(file, `${file.slice(0, -id.length)}${lost}.part`);
    await hosts.rows(`update kept_results set query_id = $1, state = 'WRITING', host_id = $2 where query_id = $3`, [
      lost,
      randomUUID(),
      id,
    ]);
    await hosts.rows('update queries set query_id = $1 where query_id = $2', [lost, id]);
    expect((await rowsOf(lost)).status).toBe(404);
    await hosts.stream.context.resultPurge?.purge();
    expect((await files()).filter((path) => path.includes(lost))).toEqual([]);
    expect(await hosts.rows('select 1 from kept_results where query_id = $1', [lost])).toEqual([]);
  });

  it('leaves its results to the other hosts', async () => {
    const id = await keepQuery('SELECT 7 AS a');
    const other = await startStreamHost({
      environment: { ...hosts.environment, STREAM_PORT: '0' },
      overrides: { log: createLogger({ service: 'test', level: 'silent' }) },
    });
    try {
      const page = await send(`${other.url}/query/${id}/rows`, { headers: ann });
      expect((page.body as unknown as { data: unknown }).data).toEqual([{ a: 7 }]);
    } finally {
      await other.drain();
    }
  });

  it('removes what no row names, such as the results of a tenant that is gone', async () => {
    const gone = await hosts.build.tenant({ name: 'gone' });
    const someone = { ...basicOf(await hosts.build.user(gone)), host: 'gone-stream.localhost' };
    const kept = queryIdOf(await query('SELECT 1 AS a', '1h', someone));
    const mine = await keepQuery('SELECT 1 AS a');
    await hosts.rows('delete from tenants where id = $1', [gone.id]);
    await hosts.stream.context.resultPurge?.sweep();
    const names = (await files()).join('\n');
    expect([names.includes(kept), names.includes(mine)]).toEqual([false, true]);
  });
});

describe('no result is kept', () => {
  it('without keep, of an unknown query, or for a bad page', async () => {
    const answer = await post(`${hosts.url}/query`, { sql: 'SELECT 1' }, ann);
    expect(await lastOf(answer)).toEqual({ type: 'complete' });
    for (const id of [queryIdOf(answer), randomUUID(), 'no-id', '..%2f..', '%00'])
      expect([400, 404]).toContain((await rowsOf(id)).status);
    const id = await keepQuery('SELECT 1 AS a');
    for (const search of ['?size=0', '?size=1000000000', '?from=-1', '?from=1e3', '?size=', '?x=1', '?from=1&from=2'])
      expect([search, (await rowsOf(id, search)).status]).toEqual([search, 400]);
  });

  it.each(['', '1', '0h', '-1h', '1.5h', '1 h', '25h', '99999d', 'P1D', 5, null, ['1h'], {}])(
    'for keep: %j',
    async (keep) => {
      const answer = await query('SELECT 1', keep);
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    },
  );

  it('for a tenant that may keep none, or has reached its limit of bytes', async () => {
    const none = await hosts.build.tenant({ name: 'keeps-none', settings: { keepTimeMaxMs: 0 } });
    const nobody = { ...basicOf(await hosts.build.user(none)), host: 'keeps-none-stream.localhost' };
    expect((await query('SELECT 1', '1s', nobody)).body.message).toContain('This tenant keeps no results');

    const small = await hosts.build.tenant({ name: 'keeps-few', settings: { keptBytesMax: 2_000 } });
    const someone = { ...basicOf(await hosts.build.user(small)), host: 'keeps-few-stream.localhost' };
    const large = await query(countTo(20_000), '1h', someone);
    expect(large.isWhole).toBe(true);
    expect(await lastOf(large)).toEqual({ type: 'complete', not_kept: expect.stringContaining('limit of bytes') });
    expect(await lastOf(await query('SELECT 1 AS a', '1h', someone))).toMatchObject({ kept_until: expect.any(Number) });
  });

  it('of a query that fails or is cancelled, and nothing of it stays', async () => {
    const failing = await query(`SELECT n, CASE WHEN n = 90000 THEN error('leak') ELSE 'x' END AS v FROM numbers`);
    expect((await lastOf(failing))['type']).toBe('error');
    const id = queryIdOf(failing);
    expect((await rowsOf(id)).status).toBe(404);
    await finalReceipt(hosts.url, id, { credential: ann });
    await until(
      async () => {
        await hosts.stream.context.resultPurge?.purge();
        const rows = await hosts.rows('select 1 from kept_results where query_id = $1', [id]);
        return rows.length === 0 ? true : undefined;
      },
      { what: 'the removal of the result' },
    );
    expect((await files()).filter((file) => file.includes(id))).toEqual([]);
  });

  it('when the store fails, and the stream is complete nevertheless', async () => {
    const results = join(folder, 'results');
    await rename(results, `${results}-away`);
    await writeFile(results, 'not a folder');
    try {
      const answer = await query(countTo(50_000));
      expect(answer.isWhole).toBe(true);
      expect((await eventsOf(answer)).filter(({ type }) => type === 'row')).toHaveLength(50_000);
      expect(await lastOf(answer)).toEqual({ type: 'complete', not_kept: 'The result store failed.' });
      expect((await rowsOf(queryIdOf(answer))).status).toBe(404);
    } finally {
      await rm(results);
      await rename(`${results}-away`, results);
    }
  });
});
