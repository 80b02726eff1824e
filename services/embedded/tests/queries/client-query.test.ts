import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, createClient, IncompleteResultError, QueryFailedError, ResponseError } from '@sluice/client';
import { type CuttingProxy, startCuttingProxy, until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { countTo, ENDLESS, FAILS_LATE, LONG, MISSPELT } from '@sluice/testkit/statements';

let hosts: TestHosts;
let proxy: CuttingProxy;
let client: Client;
beforeAll(async () => {
  hosts = await startHosts();
  proxy = await startCuttingProxy(hosts.url);
  const { email, password } = hosts.ann;
  client = createClient({
    tenant: 'acme',
    streamUrl: proxy.url,
    apiUrl: hosts.api.url,
    auth: { email, password },
    idleTimeoutMs: 60_000,
  });
}, 120_000);
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
});

const rowsOf = async (query: AsyncIterable<Record<string, unknown>>): Promise<Record<string, unknown>[]> => {
  const rows: Record<string, unknown>[] = [];
  for await (const row of query) rows.push(row);
  return rows;
};

const failureOf = async (query: AsyncIterable<Record<string, unknown>>): Promise<Error> => {
  try {
    await rowsOf(query);
  } catch (error) {
    return error as Error;
  }
  throw new Error('the query did not fail');
};

const stateOf = async (queryId: string): Promise<string> =>
  (await client.stream.getQuery({ params: { id: queryId } })).state;

describe('a query of the client', () => {
  it('returns columns, rows and a summary', async () => {
    const query = client.query("SELECT 1 AS a, NULL AS b, 'x' AS c");
    expect(await query.columns).toEqual([
      { name: 'a', type: 'integer' },
      { name: 'b', type: 'integer' },
      { name: 'c', type: 'varchar' },
    ]);
    expect(await rowsOf(query)).toEqual([{ a: 1, b: null, c: 'x' }]);
    expect(query.summary).toMatchObject({ queryId: await query.id, rows: 1, limited: false });
    expect(await stateOf(await query.id)).toBe('FINISHED');
  });

  it('returns many rows in order, row by row and in batches', async () => {
    let expected = 0n;
    for await (const { n } of client.query(countTo(50_000))) {
      expect(n).toBe(expected);
      expected += 1n;
    }
    expect(expected).toBe(50_000n);
    let rows = 0;
    for await (const batch of client.query(countTo(50_000)).batches()) rows += batch.length;
    expect(rows).toBe(50_000);
  });

  it('returns no rows for an empty result, with its columns', async () => {
    const query = client.query('SELECT 1 AS a WHERE false');
    expect(await rowsOf(query)).toEqual([]);
    expect(await query.columns).toEqual([{ name: 'a', type: 'integer' }]);
  });

  it('says that a result was limited by size', async () => {
    const query = client.query(countTo(10), { size: 3 });
    expect(await rowsOf(query)).toHaveLength(3);
    expect(query.summary).toMatchObject({ rows: 3, limited: true });
  });

  it('binds a Date as an instant, whatever the time zone of the session, and returns rows of a type', async () => {
    const at = new Date(Date.UTC(2026, 2, 29, 1, 2, 3, 45));
    const sql = `SELECT epoch_ms($at) AS ms, CAST($at AS VARCHAR) AS text, contains($days, $at) AS found`;
    const parameters = { at, days: [new Date(0), at, null] };
    const rows = await client.rows<{ readonly ms: bigint; readonly text: string; readonly found: boolean }>(sql, {
      parameters,
      timeZone: 'Asia/Tokyo',
    });
    expect(rows).toEqual([{ ms: BigInt(at.getTime()), text: '2026-03-29 10:02:03.045+09', found: true }]);
    expect(await client.rows(sql, { parameters, rows: 'text' })).toHaveLength(1);
    await expect(client.rows(FAILS_LATE)).rejects.toThrow(QueryFailedError);
  });

  it('binds parameters of every kind', async () => {
    const date = { type: 'date', value: '2026-03-29' } as const;
    const parameters = { a: 9223372036854775807n, b: "it's", c: 2n ** 80n, d: date, n: null };
    const query = client.query('SELECT $a AS a, $b AS b, $c AS c, $d AS d, $n AS n', { parameters });
    const expected = { a: 9223372036854775807n, b: "it's", c: 2n ** 80n, d: '2026-03-29', n: null };
    expect(await rowsOf(query)).toEqual([expected]);
  });

  it('binds lists, with every digit of a bigint', async () => {
    const days = { type: 'array(date)', value: ['2026-03-29', null] } as const;
    const parameters = { a: [9223372036854775807n, null, 1], b: ["it's", ''], d: days };
    const expected = { a: [9223372036854775807n, null, 1n], b: ["it's", ''], d: ['2026-03-29', null] };
    expect(await rowsOf(client.query('SELECT $a AS a, $b AS b, $d AS d', { parameters }))).toEqual([expected]);
  });

  it.each([
    ['bigint', { big: 9007199254740993n, small: 7n, price: '12345678901234567.89', cheap: 0.5, list: [1n, null] }],
    ['string', { big: '9007199254740993', small: '7', price: '12345678901234567.89', cheap: 0.5, list: ['1', null] }],
    ['number', { big: 9007199254740993n, small: 7, price: '12345678901234567.89', cheap: 0.5, list: [1, null] }],
  ] as const)('returns numbers as %s', async (numbers, expected) => {
    const sql = `SELECT 9007199254740993 AS big, 7::BIGINT AS small, 12345678901234567.89 AS price, 0.5 AS cheap,
      [1::BIGINT, NULL] AS list, 'NaN'::DOUBLE AS nan`;
    expect(await rowsOf(client.query(sql, { numbers }))).toEqual([{ ...expected, nan: Number.NaN }]);
  });

  it('can be read only once', async () => {
    const query = client.query('SELECT 1 AS a');
    await rowsOf(query);
    expect(await failureOf(query)).toBeInstanceOf(TypeError);
  });
});

describe('a query of the client fails with', () => {
  it('code, location, query id and request id when the statement is rejected', async () => {
    const error = await failureOf(client.query(MISSPELT.sql));
    expect(error).toMatchObject({
      code: 'syntax_error',
      location: { line: 1, column: MISSPELT.column },
      queryId: expect.stringMatching(/^[\da-f-]{36}$/),
      requestId: expect.stringMatching(/./),
    });
  });

  it('QueryFailedError after the rows before the failure', async () => {
    const query = client.query(FAILS_LATE);
    let rows = 0;
    const error = await (async () => {
      for await (const batch of query.batches()) rows += batch.length;
    })().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(QueryFailedError);
    expect(error).toMatchObject({ code: 'data_error', queryId: await query.id });
    expect(rows).toBeGreaterThan(0);
  });

  it('ResponseError for a request that is not valid', async () => {
    const error = await failureOf(client.query('SELECT 1', { size: 0 }));
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({ code: 'invalid_request', status: 400, details: [{ path: 'body.size' }] });
  });
});

describe('a query of the client is cancelled on the server', () => {
  it('when the loop is left', async () => {
    const query = client.query(LONG);
    for await (const _row of query) break;
    await until(async () => ((await stateOf(await query.id)) === 'CANCELLED' ? true : undefined), {
      what: 'the cancellation',
    });
    expect(query.summary).toBeUndefined();
  });

  it('when its signal is aborted, and throws the reason', async () => {
    const stop = new AbortController();
    const query = client.query(ENDLESS, { signal: stop.signal });
    const failure = failureOf(query);
    const id = await query.id;
    stop.abort(new Error('enough'));
    expect((await failure).message).toBe('enough');
    await until(async () => ((await stateOf(id)) === 'CANCELLED' ? true : undefined), {
      what: 'the cancellation',
    });
  });

  it('by cancel(), which ends the loop with AbortError', async () => {
    const query = client.query(ENDLESS);
    const failure = failureOf(query);
    const id = await query.id;
    await query.cancel();
    expect(await failure).toMatchObject({ name: 'AbortError' });
    await until(async () => ((await stateOf(id)) === 'CANCELLED' ? true : undefined), {
      what: 'the cancellation',
    });
  });
});

describe('a stream that ends early', () => {
  const ROWS = 1000;
  /** Text of the whole stream. */
  let whole: string;
  beforeAll(async () => {
    const response = await client.stream.streamQuery({
      body: { sql: countTo(ROWS), progress: true, big_numbers: 'string' },
    });
    whole = await response.text();
  });
  const lastRowEnd = () => whole.indexOf('data: {"type":"complete"');
  const offsets = () => [
    0,
    5,
    60,
    500,
    Math.floor(whole.length / 2),
    lastRowEnd() - 1,
    lastRowEnd(),
    lastRowEnd() + 30,
  ];

  it.each(['cut', 'end'] as const)('is an IncompleteResultError at every offset (%s)', async (kind) => {
    for (const afterBytes of offsets()) {
      proxy.damage('/query', { kind, afterBytes });
      const error = await failureOf(client.query(countTo(ROWS)));
      expect({ afterBytes, error }).toEqual({ afterBytes, error: expect.any(IncompleteResultError) });
      expect(error).toMatchObject({ code: 'incomplete_result', queryId: expect.any(String) });
    }
    proxy.damage('/query', undefined);
  });

  it.each(['cut', 'end'] as const)('is an IncompleteResultError when it is compressed (%s)', async (kind) => {
    for (const afterBytes of [0, 20, 400]) {
      proxy.damage('/query', { kind, afterBytes, mayCompress: true });
      expect(await failureOf(client.query(countTo(ROWS)))).toBeInstanceOf(IncompleteResultError);
    }
    proxy.damage('/query', undefined);
  });

  it('is an IncompleteResultError when it stalls', async () => {
    const { email, password } = hosts.ann;
    const options = { tenant: 'acme', streamUrl: proxy.url, apiUrl: hosts.api.url, auth: { email, password } };
    const impatient = createClient({ ...options, idleTimeoutMs: 300 });
    for (const afterBytes of [0, lastRowEnd()]) {
      proxy.damage('/query', { kind: 'stall', afterBytes });
      const error = await failureOf(impatient.query(countTo(ROWS)));
      expect(error).toBeInstanceOf(IncompleteResultError);
      expect(error).toMatchObject({ reason: 'stalled' });
    }
    proxy.damage('/query', undefined);
  });
});
