import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Client,
  createClient,
  IncompleteResultError,
  QueryFailedError,
  type QueryOptions,
  type Resumption,
  type RowText,
  toBlob,
} from '@sluice/client';
import {
  type BodyFault,
  type CuttingProxy,
  caseSeed,
  seededRandom,
  shortOrLong,
  startCuttingProxy,
  until,
} from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { countTo, FAILS_LATE } from '@sluice/testkit/statements';
import { createResultFolder, type ResultFolder } from '../create-result-folder.ts';

const ROWS = 20_000;
const CUTS = shortOrLong(12, 200);
/** Returns many rows at once, and then some for a few seconds. */
const SLOW_ROWS = 60_000;
const SLOW_END = `SELECT n, CASE WHEN n < ${SLOW_ROWS - 100} THEN 0
  ELSE levenshtein(repeat('a', 5000 + (n % 2)::INTEGER), repeat('b', 5000)) END AS d FROM range(${SLOW_ROWS}) t(n)`;

let results: ResultFolder;
let hosts: TestHosts;
let proxy: CuttingProxy;
let client: Client;
beforeAll(async () => {
  results = await createResultFolder();
  hosts = await startHosts(results.settings);
  proxy = await startCuttingProxy(hosts.url);
  const { email, password } = hosts.ann;
  client = createClient({ tenant: 'acme', streamUrl: proxy.url, apiUrl: hosts.api.url, auth: { email, password } });
}, 120_000);
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
  await results?.[Symbol.asyncDispose]();
});
afterEach(() => proxy.reset());

interface Read {
  readonly numbers: readonly number[];
  readonly resumptions: readonly Resumption[];
  readonly error: unknown;
  readonly summary: unknown;
}

/** Reads the column `n` of a query whose result is kept, and how it was continued. */
async function read(sql: string, options: QueryOptions = {}): Promise<Read> {
  const resumptions: Resumption[] = [];
  const onResume = (resumption: Resumption): void => void resumptions.push(resumption);
  const query = client.query<{ n: bigint }>(sql, { keep: '1h', onResume, ...options });
  const numbers: number[] = [];
  let error: unknown;
  try {
    for await (const batch of query.batches()) for (const { n } of batch) numbers.push(Number(n));
  } catch (thrown) {
    error = thrown;
  }
  return { numbers, resumptions, error, summary: query.summary };
}

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);
const requestsFor = (part: string): number => proxy.seen.filter(({ path }) => path.includes(part)).length;
const cutOnce = (fault: Omit<BodyFault, 'times'>, times = 1): void => proxy.damage('/query', { ...fault, times });

describe('rows of a query with keep', () => {
  it.each(['cut', 'end'] as const)('continue at the exact row after a cut at random bytes (%s)', async (kind) => {
    const random = seededRandom(caseSeed());
    for (let round = 0; round < CUTS; round += 1) {
      const afterBytes = Math.floor(random() * 600_000);
      cutOnce({ kind, afterBytes });
      const { numbers, error, resumptions, summary } = await read(countTo(ROWS));
      expect({ afterBytes, error, isWhole: numbers.every((n, index) => n === index) }).toEqual({
        afterBytes,
        error: undefined,
        isWhole: true,
      });
      expect(numbers).toHaveLength(ROWS);
      expect(summary).toMatchObject({ rows: ROWS, limited: false, keptUntil: expect.any(Number) });
      expect(resumptions.map(({ attempt }) => attempt)).toEqual([1]);
    }
  });

  it('continue after several cuts, also of what continues them, as often as the caller allows', async () => {
    cutOnce({ kind: 'cut', afterBytes: 100_000 }, 3);
    const whole = await read(countTo(ROWS));
    expect({ error: whole.error, rows: whole.numbers.length }).toEqual({ error: undefined, rows: ROWS });
    expect(whole.resumptions.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    const received = whole.resumptions.map((each) => each.received);
    expect(received).toEqual([...received].sort((one, other) => one - other));

    cutOnce({ kind: 'cut', afterBytes: 100_000 }, 3);
    const cut = await read(countTo(ROWS), { resumeAttempts: 2 });
    expect(cut.error).toBeInstanceOf(IncompleteResultError);
    expect(cut.error).toMatchObject({ reason: 'cut', queryId: expect.any(String) });
    expect(cut.resumptions).toHaveLength(2);
    expect(cut.numbers).toEqual(range(cut.numbers.length));
  });

  it('continue when nothing arrives for too long', async () => {
    const { email, password } = hosts.ann;
    const urls = { streamUrl: proxy.url, apiUrl: hosts.api.url };
    const impatient = createClient({ tenant: 'acme', ...urls, auth: { email, password }, idleTimeoutMs: 3000 });
    proxy.damage('/query', { kind: 'stall', afterBytes: 50_000, times: 1 });
    const rows: unknown[] = [];
    for await (const row of impatient.query(countTo(ROWS), { keep: '1h' })) rows.push(row);
    expect(rows).toHaveLength(ROWS);
  });

  it('continue while the host cannot be reached for a moment', async () => {
    cutOnce({ kind: 'cut', afterBytes: 100_000 });
    const { numbers, error } = await read(countTo(ROWS), {
      onResume: () => proxy.reply('/query', 'unsent', { status: 502, body: 'proxy' }),
    });
    expect({ error, numbers }).toEqual({ error: undefined, numbers: range(ROWS) });
  });

  it('continue while the query runs', async () => {
    cutOnce({ kind: 'cut', afterBytes: 700_000 });
    const { numbers, error, resumptions } = await read(SLOW_END);
    expect({ error, resumptions: resumptions.length }).toEqual({ error: undefined, resumptions: 1 });
    expect(numbers).toEqual(range(SLOW_ROWS));
  });

  it('keep every digit, as JSON text and as values', async () => {
    const sql = 'SELECT 9007199254740993 + range AS n, 0.10 AS price FROM range(5000)';
    cutOnce({ kind: 'cut', afterBytes: 30_000 });
    const texts: RowText[] = [];
    for await (const row of client.query(sql, { keep: '1h', rows: 'text' })) texts.push(row);
    expect(texts).toHaveLength(5000);
    expect([texts[0], texts[4999]]).toEqual([
      ['9007199254740993', '0.10'],
      ['9007199254745992', '0.10'],
    ]);
    cutOnce({ kind: 'cut', afterBytes: 30_000 });
    const values: unknown[] = [];
    for await (const row of client.query(sql, { keep: '1h' })) values.push(row);
    expect(values).toHaveLength(5000);
    expect(values[4999]).toMatchObject({ n: 9007199254745992n });
  });

  it('end as without keep where they cannot be continued', async () => {
    const before = requestsFor('/events');
    cutOnce({ kind: 'cut', afterBytes: 100_000 });
    const without = await read(countTo(ROWS), { resumeAttempts: 0 });
    expect(without).toMatchObject({ error: expect.any(IncompleteResultError), resumptions: [] });
    expect(without.error).toMatchObject({ reason: 'cut', message: expect.not.stringContaining('continued') });
    cutOnce({ kind: 'cut', afterBytes: 100_000 });
    const query = client.query(countTo(ROWS));
    const reading = (async () => {
      for await (const _row of query);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'incomplete_result', reason: 'cut' });
    expect(requestsFor('/events')).toBe(before);

    // The host does not know the result any more.
    cutOnce({ kind: 'cut', afterBytes: 100_000 });
    const notFound = {
      status: 404,
      headers: { 'content-type': 'application/json' },
      body: '{"error":"not_found","message":"Gone."}',
    };
    const gone = await read(countTo(ROWS), { onResume: () => proxy.reply('/query', notFound) });
    expect(gone.error).toMatchObject({ code: 'incomplete_result', reason: 'cut', cause: { status: 404 } });
    expect(gone.error).toMatchObject({
      message: expect.stringContaining('could not be continued in 1 attempt (Gone)'),
    });
  });

  it('of a failing statement end with its failure', async () => {
    const { error, numbers } = await read(FAILS_LATE);
    expect(error).toBeInstanceOf(QueryFailedError);
    expect(numbers).toEqual(range(numbers.length));
  });

  it('stop at once when the caller cancels while they are continued', async () => {
    const stop = new AbortController();
    cutOnce({ kind: 'cut', afterBytes: 100_000 });
    const { error } = await read(countTo(ROWS), {
      signal: stop.signal,
      onResume: () => stop.abort(new Error('enough')),
    });
    expect(error).toMatchObject({ message: 'enough' });
  });

  it('reject options that are not valid before anything is sent', () => {
    for (const resumeAttempts of [-1, 1.5, Number.NaN])
      expect(() => client.query('SELECT 1', { keep: '1h', resumeAttempts })).toThrow(TypeError);
  });
});

describe('a query with reuse', () => {
  it('returns a kept result with its time, and runs without one', async () => {
    const sql = `SELECT range AS n, 'reused' AS t FROM range(3)`;
    const first = client.query(sql, { keep: '1h', reuse: '15m' });
    for await (const _row of first);
    expect(first.summary?.asOf).toBeUndefined();
    const again = client.query(sql, { reuse: '15m' });
    const rows: unknown[] = [];
    for await (const row of again) rows.push(row);
    expect(rows).toHaveLength(3);
    expect(again.summary).toMatchObject({ queryId: await first.id, asOf: expect.any(Number), rows: 3 });
  });
});

describe('a download with keep', () => {
  it.each(['csv', 'json', 'ndjson', 'xlsx'] as const)(
    'that is cut gets its rest from the kept result (%s)',
    async (format) => {
      const request = { format, sql: countTo(ROWS) };
      const direct = await client.download(request, toBlob());
      for (const share of [0, 0.3, 0.9]) {
        const afterBytes = Math.floor(direct.bytes * share);
        proxy.damage('/query/download', { kind: 'cut', afterBytes, times: 1 });
        const resumptions: Resumption[] = [];
        const onResume = (resumption: Resumption): void => void resumptions.push(resumption);
        const { result, bytes, sha256, receipt } = await client.download({ ...request, keep: '1h' }, toBlob(), {
          onResume,
        });
        const content = Buffer.from(await result.arrayBuffer());
        expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
        if (format !== 'xlsx') expect(sha256).toBe(direct.sha256);
        expect([content.length, receipt.state, resumptions.length]).toEqual([bytes, 'FINISHED', 1]);
      }
    },
  );

  it('fails as without keep if the result is not kept, and leaves nothing', async () => {
    const request = { format: 'csv', sql: FAILS_LATE, keep: '1h' } as const;
    await expect(client.download(request, toBlob())).rejects.toMatchObject({ code: 'data_error' });
    proxy.damage('/query/download', { kind: 'cut', afterBytes: 100, times: 1 });
    const cut = client.download({ format: 'csv', sql: countTo(ROWS), keep: '1h' }, toBlob(), { resumeAttempts: 0 });
    await expect(cut).rejects.toMatchObject({ code: 'incomplete_result', reason: 'cut' });
    const running = async () => ((await client.stream.listQueries()).data.length === 0 ? true : undefined);
    await until(running, { what: 'the end of all queries' });
  });
});
