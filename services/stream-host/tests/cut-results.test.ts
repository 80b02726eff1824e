import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSlowReader } from '@sluice/testkit';
import { type ChildHost, startChildHost } from './child-host.ts';
import { finalReceipt } from './receipts.ts';
import { type Answered, basicOf, type Credential, eventsOf, post, queryIdOf, send } from './requests.ts';
import { listOf } from './running-queries.ts';
import { startHosts, type TestHosts } from './start-hosts.ts';
import { LONG } from './statements.ts';
import { until } from './until.ts';

const ROWS = 100_001;
/** The first and the last of the result, either side of the engine's chunk of 2,048, and far behind. */
const FAILING_ROWS = [0, 1, 2047, 2048, 2049, 100_000];

let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts({ WORKERS_MAX: '8', WORKERS_WARM: '3' });
  ann = basicOf(hosts.ann);
}, 60_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

interface Failure {
  readonly name: string;
  readonly sql: (row: number) => string;
  readonly message: RegExp;
  readonly location?: (row: number) => object;
}

const FAILURES: readonly Failure[] = [
  {
    name: 'error()',
    sql: (row) =>
      `SELECT n,\n  CASE WHEN n = ${row} THEN error('boom at ' || n) ELSE 'fine' END AS word\nFROM range(${ROWS}) t(n)`,
    message: /^boom at \d+$/,
  },
  {
    name: 'a failed cast',
    sql: (row) =>
      `SELECT n,\n  CAST(CASE WHEN n = ${row} THEN 'no number' ELSE n::VARCHAR END AS INTEGER) AS number\nFROM range(${ROWS}) t(n)`,
    message: /^Could not convert string 'no number' to INT32/,
    location: () => ({ line: 2, column: 3 }),
  },
];

const CASES = FAILURES.flatMap((failure) => FAILING_ROWS.map((row) => [failure.name, row, failure] as const));
const query = (path: string, sql: string): Promise<Answered> => post(`${hosts.url}${path}`, { sql }, ann);

/** What a stream says of its own end. */
const lastWords = async (answer: Answered) =>
  (await eventsOf(answer)).filter(({ type }) => type === 'error' || type === 'complete');

const expectReceipt = async (answer: Answered, code: string): Promise<void> => {
  const receipt = await finalReceipt(hosts.url, queryIdOf(answer), { credential: ann, withinMs: 2000 });
  expect(receipt).toMatchObject({ error: { code } });
};

describe.each(CASES)('%s in row %i', (_name, row, failure) => {
  const sql = failure.sql(row);
  const location = failure.location?.(row);
  const problem = { code: 'DATA_ERROR', ...(location === undefined ? {} : { location }) };

  it('ends a stream with one error event, in the engine’s words', async () => {
    const answer = await query('/query', sql);
    expect(answer.isWhole).toBe(true);
    const words = await lastWords(answer);
    expect(words).toEqual([expect.objectContaining({ type: 'error', ...problem })]);
    expect(words[0]?.['error']).toMatch(failure.message);
    await expectReceipt(answer, 'DATA_ERROR');
  });

  it('ends JSON, still valid, with its error', async () => {
    const answer = await query('/query/download/json', sql);
    expect(answer.isWhole).toBe(true);
    expect(answer.body).toMatchObject({ code: 'DATA_ERROR', error: expect.stringMatching(failure.message) });
    expect(answer.status).toBe(answer.body.data.length === 0 ? 400 : 200);
    expect(answer.body.data.length).toBeLessThanOrEqual(row);
    await expectReceipt(answer, 'DATA_ERROR');
  });

  it('fails a CSV transfer, or its status says so', async () => {
    const answer = await query('/query/download/csv', sql);
    expect(row === 100_000 ? [200] : [200, 400]).toContain(answer.status);
    expect(answer.isWhole).toBe(answer.status === 400);
    if (answer.status === 400)
      expect(answer.body).toMatchObject({ error: 'data_error', message: expect.stringMatching(failure.message) });
    await expectReceipt(answer, 'DATA_ERROR');
  });
});

const PATHS = ['/query', '/query/download/json', '/query/download/csv'];

interface Cut {
  readonly url: string;
  readonly stop: (queryId: string) => Promise<unknown> | unknown;
}

/** One reader a format of a result that would not end, paused after 100 kB; then whatever stops them; then they read on. */
async function readUntilStopped({ url, stop }: Cut): Promise<Buffer[]> {
  const readers = PATHS.map((path) =>
    openSlowReader({
      url: `${url}${path}`,
      headers: { 'content-type': 'application/json', connection: 'close', ...ann },
      body: JSON.stringify({ sql: LONG }),
    }),
  );
  try {
    await Promise.all(readers.map((reader) => reader.untilBytes(100_000)));
    for (const reader of readers) reader.readAt(0);
    const running = await until(
      async () => {
        const listed = await listOf(url, ann);
        return listed.length === PATHS.length ? listed : undefined;
      },
      { what: 'all queries', withinMs: 5000 },
    );
    for (const { query_id } of running) await stop(query_id);
    for (const reader of readers) reader.readAt(Number.POSITIVE_INFINITY);
    await Promise.all(readers.map((reader) => reader.ended));
    return readers.map((reader) => reader.received());
  } finally {
    for (const reader of readers) reader[Symbol.dispose]();
  }
}

/** The body of a chunked answer; `isWhole` when its closing chunk came. */
function bodyOf(received: Buffer): { readonly text: string; readonly isWhole: boolean } {
  const pieces: Buffer[] = [];
  let at = received.indexOf('\r\n\r\n') + 4;
  for (;;) {
    const end = received.indexOf('\r\n', at);
    const size = end === -1 ? Number.NaN : Number.parseInt(received.toString('latin1', at, end), 16);
    if (Number.isNaN(size)) return { text: Buffer.concat(pieces).toString(), isWhole: false };
    if (size === 0) return { text: Buffer.concat(pieces).toString(), isWhole: true };
    pieces.push(received.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

function expectToldOrCut(received: readonly Buffer[], code: string): void {
  const [stream, json, csv] = received.map(bodyOf);
  expect(stream?.text.match(/"type":"(?:error|complete)"/g)).toEqual(['"type":"error"']);
  expect(stream?.text).toMatch(new RegExp(`"code":"${code}","query_id":"[^"]+"}\n\n$`));
  expect(JSON.parse(json?.text ?? '')).toMatchObject({ code, error: expect.any(String) });
  expect([stream?.isWhole, json?.isWhole, csv?.isWhole]).toEqual([true, true, false]);
}

describe('a result that is stopped among its rows', () => {
  it('by a cancel: a stream and JSON say so, CSV is cut', async () => {
    const stop = (id: string) => send(`${hosts.url}/query/${id}`, { method: 'DELETE', headers: { ...ann } });
    expectToldOrCut(await readUntilStopped({ url: hosts.url, stop }), 'QUERY_CANCELLED');
  });

  it('by the death of its worker: a stream and JSON say so, CSV is cut', async () => {
    const { workers } = hosts.stream.context;
    const stop = (): void => {
      for (const pid of workers.pids) process.kill(pid, 'SIGKILL');
    };
    expectToldOrCut(await readUntilStopped({ url: hosts.url, stop }), 'RESOURCE_LIMIT');
  });

  it('by the death of its host: all are cut, none looks whole', async () => {
    const child: ChildHost = await startChildHost(hosts, { WORKERS_MAX: '8', WORKERS_WARM: '3' });
    const stop = (): boolean => child.child.kill('SIGKILL');
    for (const { text, isWhole } of (await readUntilStopped({ url: child.url, stop })).map(bodyOf)) {
      expect(isWhole).toBe(false);
      expect(text).not.toMatch(/"complete"|"error"/);
      expect(() => JSON.parse(text)).toThrow();
    }
  }, 30_000);
});
