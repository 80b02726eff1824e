import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, readServerSentEvents } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  basicOf,
  bearer,
  type Credential,
  clientToken,
  eventsOf,
  idtoken,
  logIn,
  post,
  queryIdOf,
  receiptOf,
  sha256Of,
} from '@sluice/testkit/requests';
import { countTo, DESCRIPTIONS, NOON, SILENT, SPLITS } from '@sluice/testkit/statements';

let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts({ SSE_HEARTBEAT_INTERVAL: '100ms' });
  ann = basicOf(hosts.ann);
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const query = (body: unknown, headers: Credential = ann): Promise<ReceivedResponse> =>
  post(`${hosts.url}/query`, body, headers);
const typesOf = async (answer: ReceivedResponse): Promise<unknown[]> =>
  (await eventsOf(answer)).map(({ type }) => type);
const lastOf = async (answer: ReceivedResponse): Promise<Record<string, unknown>> =>
  (await eventsOf(answer)).at(-1) ?? {};

describe('POST /query succeeds', () => {
  it('with metadata, then all rows in order with exact digits, then complete', async () => {
    const answer = await query({ sql: 'SELECT * FROM items ORDER BY id' });
    expect(answer.status).toBe(200);
    expect(answer.isWhole).toBe(true);
    // The start of the first worker may take longer than the heartbeat interval.
    expect(answer.text.replaceAll(': keep-alive\n\n', '')).toBe(
      [
        'data: {"type":"metadata","columns":[{"name":"id","type":"bigint"},{"name":"name","type":"varchar"},{"name":"price","type":"decimal(10,2)"}]}',
        'data: {"type":"row","data":{"id":1,"name":"nut","price":0.10}}',
        'data: {"type":"row","data":{"id":2,"name":"bolt, long","price":250.00}}',
        'data: {"type":"row","data":{"id":9223372036854775807,"name":null,"price":null}}',
        'data: {"type":"complete"}',
        '',
      ].join('\n\n'),
    );
  });

  it('with headers against caching, proxy buffering and content sniffing', async () => {
    const { headers } = await query({ sql: 'SELECT 1' }, { ...ann, 'x-request-id': 'mine-1' });
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'mine-1',
      'x-query-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('for Basic, an ID token, and the access token of a login and of a client', async () => {
    const tokens = await logIn(hosts, hosts.ann);
    const ofClient = await clientToken(hosts, await hosts.build.client(hosts.acme));
    const credentials = [ann, idtoken(tokens.id_token), bearer(tokens.access_token), bearer(ofClient)];
    for (const credential of credentials) {
      expect(await typesOf(await query({ sql: 'SELECT 1' }, credential))).toEqual(['metadata', 'row', 'complete']);
    }
  });

  it('with a receipt of the exact bytes', async () => {
    const answer = await query({ sql: 'SELECT n, n * 1.5 AS more FROM numbers' });
    const receipt = await receiptOf(hosts.url, queryIdOf(answer), ann);
    expect(receipt).toEqual({
      query_id: queryIdOf(answer),
      state: 'FINISHED',
      rows: 100_000,
      bytes: answer.bytes.length,
      sha256: sha256Of(answer.bytes),
      limited: false,
      started_ts: expect.any(Number),
      ended_ts: expect.any(Number),
      error: null,
    });
    expect((await eventsOf(answer)).filter(({ type }) => type === 'row')).toHaveLength(100_000);
  });

  it('with only metadata and complete for a result without rows', async () => {
    const answer = await query({ sql: 'SELECT * FROM nothing' });
    expect(await typesOf(answer)).toEqual(['metadata', 'complete']);
    expect((await eventsOf(answer))[0]?.['columns']).toHaveLength(2);
    expect(await receiptOf(hosts.url, queryIdOf(answer), ann)).toMatchObject({
      rows: 0,
      sha256: sha256Of(answer.bytes),
    });
  });

  it('with distinct column names, odd names kept, equal in metadata and rows', async () => {
    const answer = await query({ sql: 'SELECT 1 AS a, 2 AS a, 3 AS "__proto__", 4 AS "10", 5 AS "q""u"' });
    const [metadata] = await eventsOf(answer);
    expect(((metadata?.['columns'] ?? []) as { name: string }[]).map(({ name }) => name)).toEqual([
      'a',
      'a_2',
      '__proto__',
      '10',
      'q"u',
    ]);
    expect(answer.text).toContain('{"a":1,"a_2":2,"__proto__":3,"10":4,"q\\"u":5}');
  });

  it('for DESCRIBE statements, VALUES, WITH and a trailing semicolon', async () => {
    for (const sql of [...DESCRIPTIONS, 'VALUES (1)', 'WITH a AS (SELECT 1) SELECT * FROM a', 'SELECT 1 ; -- done']) {
      expect([sql, (await lastOf(await query({ sql })))['type']]).toEqual([sql, 'complete']);
    }
  });
});

describe('POST /query applies', () => {
  it.each([
    [2, 'SELECT * FROM items', 2, true],
    [3, 'SELECT * FROM items', 3, false],
    [4, 'SELECT * FROM items', 3, false],
    [2, 'SELECT * FROM numbers LIMIT 5', 2, true],
    [5, 'SELECT * FROM numbers LIMIT 2', 2, false],
    [1, 'SELECT * FROM nothing', 0, false],
    [5000, 'SELECT * FROM numbers', 5000, true],
  ] as const)('size %d for %s: %d rows, limited %s', async (size, sql, rows, limited) => {
    const answer = await query({ sql, size, progress: true });
    const events = await eventsOf(answer);
    expect(events.filter(({ type }) => type === 'row')).toHaveLength(rows);
    expect(events.at(-1)).toMatchObject({ type: 'complete', rows, limited });
    const receipt = await receiptOf(hosts.url, queryIdOf(answer), ann);
    expect(receipt).toMatchObject({ state: 'FINISHED', rows, limited, sha256: sha256Of(answer.bytes) });
  });

  it('size by stopping the engine early', async () => {
    // All rows would take longer than the limit of the test.
    const answer = await query({ sql: countTo(9_000_000_000), size: 10 });
    expect(await typesOf(answer)).toHaveLength(12);
  });

  it('progress: sends counts while the query runs and statistics at its end, and neither without it', async () => {
    const shown = await query({ sql: SILENT, progress: true });
    const events = await eventsOf(shown);
    const progress = events.filter(({ type }) => type === 'progress');
    expect(progress.length).toBeGreaterThan(0);
    for (const event of progress) {
      const splits = event['splits_total'] === null ? null : expect.any(Number);
      expect(event).toEqual({
        type: 'progress',
        state: expect.stringMatching(/^(?:QUEUED|RUNNING)$/),
        rows: expect.any(Number),
        bytes: expect.any(Number),
        splits_done: splits,
        splits_total: splits,
      });
    }
    // Trino knows them once it has planned the query.
    expect(progress.some((event) => event['splits_total'] !== null)).toBe(SPLITS === 'known');
    expect(events.at(-1)).toEqual({
      type: 'complete',
      query_id: queryIdOf(shown),
      rows: 1,
      elapsed_ms: expect.any(Number),
      limited: false,
    });
    const hidden = await query({ sql: 'SELECT 1', progress: false });
    expect(await lastOf(hidden)).toEqual({ type: 'complete' });
  });

  it('big_numbers: sends the values of columns that may exceed a double, and of no other columns, as strings', async () => {
    const sql = `SELECT CAST(1 AS BIGINT) AS b, CAST(2 AS INTEGER) AS i, CAST(0.50 AS DECIMAL(20,2)) AS d,
      CAST(0.25 AS DECIMAL(5,2)) AS s, CAST(1.5 AS DOUBLE) AS f`;
    const text = (await query({ sql, big_numbers: 'string' })).text;
    expect(text).toContain('{"b":"1","i":2,"d":"0.50","s":0.25,"f":1.5}');
    expect((await query({ sql, big_numbers: 'number' })).text).toContain('{"b":1,"i":2,"d":0.50,"s":0.25,"f":1.5}');
  });

  it('time_zone: uses UTC by default', async () => {
    const { sql, inUtc, inKolkata } = NOON;
    expect((await query({ sql })).text).toContain(inUtc);
    expect((await query({ sql, time_zone: 'Asia/Kolkata' })).text).toContain(inKolkata);
    // The next query on the same worker does not inherit the time zone.
    expect((await query({ sql })).text).toContain('{"h":12,');
  });
});

describe('POST /query while the engine is silent', () => {
  it('sends its headers immediately, then heartbeat comments that the receipt includes', async () => {
    const response = await fetch(`${hosts.url}/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...ann },
      body: JSON.stringify({ sql: SILENT }),
    });
    const queryId = response.headers.get('x-query-id') ?? '';
    expect((await receiptOf(hosts.url, queryId, ann)).ended_ts).toBeNull();
    const bytes = Buffer.from(await response.arrayBuffer());
    const items = [];
    for await (const item of readServerSentEvents(new Blob([bytes]).stream())) items.push(item);
    const comments = items.filter(({ kind }) => kind === 'comment');
    expect(comments.length).toBeGreaterThan(0);
    expect(comments[0]).toEqual({ kind: 'comment', text: 'keep-alive' });
    const receipt = await receiptOf(hosts.url, queryId, ann);
    expect(receipt).toMatchObject({ state: 'FINISHED', bytes: bytes.length, sha256: sha256Of(bytes) });
  });
});
