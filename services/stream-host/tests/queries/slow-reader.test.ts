import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openSlowReader, type SlowReader, send, until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  basicOf,
  type Credential,
  finalReceipt,
  idtoken,
  listOf,
  logIn,
  probeWorker,
  receiptOf,
  untilRunning,
} from '@sluice/testkit/requests';
import { countTo, LONG } from '@sluice/testkit/statements';

const FILES = ['/query', '/query/download/json', '/query/download/csv'];

interface Reading {
  readonly sql: string;
  readonly bytesPerSecond: number;
  readonly credential: Credential;
}

const opened: SlowReader[] = [];
afterEach(() => {
  for (const reader of opened.splice(0)) reader[Symbol.dispose]();
});

function open(hosts: TestHosts, path: string, { sql, bytesPerSecond, credential }: Reading): SlowReader {
  const reader = openSlowReader({
    url: `${hosts.url}${path}`,
    headers: { 'content-type': 'application/json', ...credential },
    body: JSON.stringify({ sql }),
    bytesPerSecond,
  });
  opened.push(reader);
  return reader;
}

const untilListed = (hosts: TestHosts, credential: Credential, count: number): Promise<readonly string[]> =>
  until(
    async () => {
      const listed = await listOf(hosts.url, credential);
      return listed.length === count ? listed.map(({ query_id }) => query_id) : undefined;
    },
    { what: `${count} running queries` },
  );

describe('a slow reader', () => {
  let hosts: TestHosts;
  let ann: Credential;
  beforeAll(async () => {
    hosts = await startHosts({ WORKERS_MAX: '2', WORKERS_WARM: '2', QUEUE_TIMEOUT: '5s' });
    ann = basicOf(hosts.ann);
  }, 120_000);
  afterAll(async () => await hosts?.[Symbol.asyncDispose]());

  it('slows its query down, so that little data is buffered', async () => {
    const reader = open(hosts, '/query', { sql: LONG, bytesPerSecond: 2_000_000, credential: ann });
    await reader.untilBytes(500_000);
    reader.readAt(20_000);
    const { query_id } = await untilRunning(hosts.url, ann);
    const first = await receiptOf(hosts.url, query_id, ann);
    await reader.untilBytes(reader.received().length + 20_000);
    const second = await receiptOf(hosts.url, query_id, ann);
    // The socket buffers of both kernels, the buffer of the host and one frame of the worker.
    expect(second.bytes - reader.received().length).toBeLessThan(16 * 1024 * 1024);
    expect(second.bytes - first.bytes).toBeLessThan(8 * 1024 * 1024);
    reader.abort();
    expect(await finalReceipt(hosts.url, query_id, { credential: ann })).toMatchObject({
      state: 'CANCELLED',
    });
  });

  it('receives its complete result', async () => {
    const sql = `SELECT n, '${'x'.repeat(100)}' AS filler FROM (${countTo(30_000)}) AS counted`;
    const reader = open(hosts, '/query/download/csv', { sql, bytesPerSecond: 1_000_000, credential: ann });
    await reader.untilBytes(3_000_000);
    const text = reader.received().toString();
    reader.readAt(Number.POSITIVE_INFINITY);
    await until(() => (reader.received().includes('29999,x') ? true : undefined), {
      what: 'the last row',
    });
    expect(text).toContain('HTTP/1.1 200 OK');
    await untilListed(hosts, ann, 0);
    const [row] = await hosts.rows('select state, rows from queries order by started desc limit 1');
    expect(row).toEqual({ state: 'FINISHED', rows: '30000' });
  });

  it('releases its worker immediately when its session ends', async () => {
    const sessions = await Promise.all(
      [hosts.ann, await hosts.build.user(hosts.acme)].map(async (user) => (await logIn(hosts, user)).id_token),
    );
    const readers = sessions.map((token, index) =>
      open(hosts, FILES[index] ?? '', { sql: LONG, bytesPerSecond: 1000, credential: idtoken(token) }),
    );
    await until(() => (hosts.stream.context.running.size === 2 ? true : undefined), {
      what: 'both queries',
    });
    for (const token of sessions) await send(`${hosts.api.url}/auth/logout/acme`, { headers: { idtoken: token } });
    expect(await probeWorker(hosts.url, basicOf(await hosts.build.user(hosts.acme)))).toBe(true);
    for (const reader of readers) expect(reader.received().length).toBeLessThan(1_000_000);
  });
});

describe('slow readers on all workers', () => {
  let hosts: TestHosts;
  beforeAll(async () => {
    hosts = await startHosts({
      WORKERS_MAX: '2',
      WORKERS_WARM: '2',
      QUEUE_TIMEOUT: '30s',
      SLOW_READER: '1KiB',
      SLOW_READER_TIME: '2s',
    });
  }, 120_000);
  afterAll(async () => await hosts?.[Symbol.asyncDispose]());

  it('keep them while no query waits; one ends with READER_TOO_SLOW when another tenant waits', async () => {
    const readers = await Promise.all(
      ['/query', '/query/download/json'].map(async (path) => {
        const credential = basicOf(await hosts.build.user(hosts.acme));
        return { credential, reader: open(hosts, path, { sql: LONG, bytesPerSecond: 20, credential }) };
      }),
    );
    const { admission, running } = hosts.stream.context;
    await until(
      () => running.all().filter(({ pace }) => pace?.slowBytesPerSecond !== undefined).length === 2 || undefined,
      {
        what: 'two readers that are measured as slow',
      },
    );
    expect(running.all().some(({ isStopped }) => isStopped)).toBe(false);
    expect(admission.waiting).toBe(0);
    const globexUser = { ...basicOf(await hosts.build.user(hosts.globex)), host: 'globex-stream.localhost' };
    expect(await probeWorker(hosts.url, globexUser)).toBe(true);
    // The transfer waits for its client to read what was sent before; the worker is free.
    expect(running.all().filter(({ isStopped }) => isStopped)).toHaveLength(1);
    for (const { reader } of readers) reader.readAt(Number.POSITIVE_INFINITY);
    const ended = await until(
      async () => {
        const [row] = await hosts.rows<{ state: string; error: { code: string; message: string } | null }>(
          `select q.state, q.error from queries q join audit_log r on r.id = q.audit_id
           where r.metadata ->> 'sql' = $1 and q.state = 'FAILED'`,
          [LONG],
        );
        return row;
      },
      { what: 'the end of the stopped query' },
    );
    expect(ended.error).toEqual({
      code: 'READER_TOO_SLOW',
      message: expect.stringContaining('too slowly while other queries waited'),
    });
    await until(() => readers.some(({ reader }) => tail(reader).includes('READER_TOO_SLOW')) || undefined, {
      what: 'the error event',
    });
  });

  const tail = (reader: SlowReader): string => reader.received().subarray(-1_000).toString();
});

describe('a reader that reads nothing', () => {
  const STALL_MS = 3000;
  let hosts: TestHosts;
  let ann: Credential;
  beforeAll(async () => {
    hosts = await startHosts({ WORKERS_MAX: '8', WORKERS_WARM: '2', STALL_TIMEOUT: `${STALL_MS}ms` });
    ann = basicOf(hosts.ann);
  }, 120_000);
  afterAll(async () => await hosts?.[Symbol.asyncDispose]());

  it('is cut after STALL_TIMEOUT with its query cancelled, unlike a slow reader', async () => {
    const stalled = { sql: LONG, bytesPerSecond: 0, credential: ann };
    for (const path of FILES) open(hosts, path, stalled);
    const queryIds = await untilListed(hosts, ann, 3);
    // Fast enough for the kernel, which frees its buffer by the megabyte, to do so within STALL_TIMEOUT.
    const bob = basicOf(await hosts.build.user(hosts.acme));
    const slow = open(hosts, '/query', { sql: LONG, bytesPerSecond: 1_300_000, credential: bob });
    for (const queryId of queryIds) {
      const receipt = await finalReceipt(hosts.url, queryId, { credential: ann });
      expect(receipt).toMatchObject({
        state: 'CANCELLED',
        sha256: null,
        error: { code: 'QUERY_CANCELLED', message: 'The client stopped reading for too long.' },
      });
      expect(receipt.ended_ts ?? 0).toBeGreaterThanOrEqual(receipt.started_ts + STALL_MS - 100);
    }
    await slow.untilBytes(4_000_000);
    expect(await listOf(hosts.url, bob)).toHaveLength(1);
  });
});
