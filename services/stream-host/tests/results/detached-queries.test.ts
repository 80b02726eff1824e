import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@sluice/observability';
import { startStreamHost } from '@sluice/stream-host';
import {
  caseSeed,
  KERNEL_BUFFERS,
  openSlowReader,
  type ReceivedResponse,
  seededRandom,
  send,
  until,
} from '@sluice/testkit';
import type { TestHosts } from '@sluice/testkit/hosts';
import {
  basicOf,
  type Credential,
  eventsOf,
  finalReceipt,
  listOf,
  post,
  probeWorker,
  receiptOf,
} from '@sluice/testkit/requests';
import { ENDLESS, wideRows } from '@sluice/testkit/statements';
import {
  completeEvents,
  type KeepingHosts,
  readCut,
  rowEvents,
  SLOW_FAILURE,
  slowRows,
  startKeepingHosts,
  withoutIds,
} from './resume-fixture.ts';

let keeping: KeepingHosts;
let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  keeping = await startKeepingHosts({ SSE_HEARTBEAT_INTERVAL: '50ms', STALL_TIMEOUT: '1s', WORKERS_MAX: '4' });
  ({ hosts } = keeping);
  ann = basicOf(hosts.ann);
}, 120_000);
afterAll(async () => await keeping?.[Symbol.asyncDispose]());

/** Starts another host of the same database. */
const startOther = (settings: Readonly<Record<string, string>> = {}) =>
  startStreamHost({
    environment: { ...hosts.environment, STREAM_PORT: '0', ...settings },
    overrides: { log: createLogger({ service: 'test', level: 'silent' }) },
  });

/** Starts a query whose result is kept, and leaves as soon as it is recorded. */
async function startAndLeave(sql: string, url = hosts.url, credential = ann): Promise<string> {
  const { queryId } = await readCut({ url: `${url}/query`, headers: credential, body: { sql, keep: '1h' } }, 0);
  return queryId;
}

const resume = (id: string, search = '', url = hosts.url, headers: Credential = ann): Promise<ReceivedResponse> =>
  send(`${url}/query/${id}/events${search}`, { headers: { ...headers } });
const lastOf = async (answer: ReceivedResponse): Promise<unknown> => (await eventsOf(answer)).at(-1);
const cancel = (id: string): Promise<ReceivedResponse> =>
  send(`${hosts.url}/query/${id}`, { method: 'DELETE', headers: { ...ann } });
const untilDetached = (count = 1) =>
  until(() => (hosts.stream.context.detachedQueries?.size === count ? true : undefined), { what: 'a detached query' });

/** Reads a stream until a text arrives, and leaves the connection open. */
function openEvents(id: string, search = '', url = hosts.url) {
  const reader = openSlowReader({ url: `${url}/query/${id}/events${search}`, method: 'GET', headers: ann });
  const untilText = (text: string) =>
    until(() => (reader.received().includes(text) ? true : undefined), { what: `the text ${text}` });
  return { ...reader, untilText };
}

describe('a kept query whose client leaves', () => {
  it('runs on, and its rows are sent when they are kept, with heartbeats until then', async () => {
    const id = await startAndLeave(slowRows(1_000));
    await untilDetached();
    expect((await listOf(hosts.url, ann)).map(({ query_id: listed }) => listed)).toEqual([id]);
    const answer = await resume(id);
    expect([answer.status, answer.isWhole]).toEqual([200, true]);
    expect(answer.text.startsWith(': keep-alive\n\n')).toBe(true);
    const events = await eventsOf(answer);
    const rows = events.filter(({ type }) => type === 'row').map(({ data }) => (data as { n: number }).n);
    expect(rows).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
    expect([events[0], events.at(-1)]).toMatchObject([
      { type: 'metadata', query_id: id },
      { type: 'complete', rows: 1_000, kept_until: expect.any(Number) },
    ]);
    expect((await resume(id, '?after=999')).text).toContain('id: 1000\ndata: {"type":"row","data":{"n":999}}');
  });

  it('has a receipt that proves its rows, and not a transfer that did not happen', async () => {
    const id = await startAndLeave(slowRows(10));
    await lastOf(await resume(id));
    expect(await receiptOf(hosts.url, id, ann)).toMatchObject({
      ...{ state: 'FINISHED', rows: 10, bytes: expect.any(Number), sha256: null, limited: false, error: null },
    });
    // At most the first event was sent before the client left.
    expect((await receiptOf(hosts.url, id, ann)).bytes).toBeLessThan(200);
    const [outcome] = await hosts.rows<{ metadata: object }>(
      `select metadata from audit_log where query_id = $1 and record_id is not null`,
      [id],
    );
    expect(outcome?.metadata).toMatchObject({ state: 'FINISHED', rows: 10, sha256: null });
    const history = await send(`${hosts.url}/query/history?size=1`, { headers: { ...ann } });
    expect(history.body.data).toMatchObject([{ query_id: id, state: 'FINISHED', rows: 10 }]);
    const page = await send(`${hosts.url}/query/${id}/rows?from=9`, { headers: { ...ann } });
    expect(page.body.data).toEqual([{ n: 9 }]);
  });

  it('shows its progress to a client that asks for it', async () => {
    const id = await startAndLeave(slowRows(10));
    const events = await eventsOf(await resume(id, '?progress=true'));
    expect(events[0]).toEqual({
      ...{ type: 'progress', state: 'RUNNING', rows: 0, bytes: expect.any(Number) },
      ...{ splits_done: null, splits_total: null },
    });
    expect(events.at(-1)).toMatchObject({ type: 'complete', rows: 10 });
  });

  it('that fails sends its error', async () => {
    const id = await startAndLeave(SLOW_FAILURE);
    const answer = await resume(id);
    const receipt = await finalReceipt(hosts.url, id, { credential: ann });
    expect(receipt).toMatchObject({ state: 'FAILED', error: { message: expect.stringContaining('boom 0') } });
    const { code, message } = receipt.error ?? { code: '', message: '' };
    expect(await eventsOf(answer)).toEqual([{ type: 'error', error: message, code, query_id: id }]);
    expect(await eventsOf(await resume(id))).toEqual([{ type: 'error', error: message, code, query_id: id }]);
  });

  it('ends at once when it is cancelled, or its account is disabled', async () => {
    const id = await startAndLeave(ENDLESS);
    const waiting = resume(id);
    await untilDetached();
    expect((await cancel(id)).status).toBe(202);
    expect(await lastOf(await waiting)).toEqual({
      type: 'error',
      error: 'The query was cancelled by its caller.',
      code: 'QUERY_CANCELLED',
      query_id: id,
    });
    const bob = await hosts.build.user(hosts.acme);
    const other = await startAndLeave(ENDLESS, hosts.url, basicOf(bob));
    await untilDetached();
    await hosts.rows('update users set disabled = true where id = $1', [bob.id]);
    await untilDetached(0);
    const [row] = await hosts.rows<{ state: string; error: { message: string } }>(
      'select state, error from queries where query_id = $1',
      [other],
    );
    expect(row).toMatchObject({ state: 'CANCELLED', error: { message: expect.stringContaining('was disabled') } });
  });

  it('is of its own account alone', async () => {
    const id = await startAndLeave(ENDLESS);
    await untilDetached();
    const bob = basicOf(await hosts.build.user(hosts.acme));
    expect((await resume(id, '', hosts.url, bob)).status).toBe(404);
    expect(await hosts.rows('select asked from kept_results where query_id = $1', [id])).toEqual([{ asked: null }]);
    await cancel(id);
    await untilDetached(0);
  });

  it('and stalls before counts as one that left', async () => {
    // More than the kernels of both sides take.
    const rows = Math.ceil((KERNEL_BUFFERS * 2) / 10_000);
    using reader = openSlowReader({
      url: `${hosts.url}/query`,
      headers: { 'content-type': 'application/json', ...ann },
      body: JSON.stringify({ sql: wideRows(10_000, rows), keep: '1h' }),
      bytesPerSecond: 0,
    });
    const id = await until(async () => (await listOf(hosts.url, ann))[0]?.query_id, { what: 'the query' });
    const receipt = await finalReceipt(hosts.url, id, { credential: ann });
    expect(receipt).toMatchObject({ state: 'FINISHED', rows, sha256: null });
    expect(receipt.bytes).toBeLessThan(rows * 10_000);
    expect(reader.received().length).toBeLessThan(rows * 10_000);
    expect(await lastOf(await resume(id, `?after=${rows - 1}`))).toMatchObject({ type: 'complete', rows });
  }, 120_000);

  const seed = caseSeed();

  it(`at any byte of its stream loses nothing (seed ${seed})`, async () => {
    const random = seededRandom(seed);
    const sql = `SELECT n, md5(n::VARCHAR) AS t FROM range(20000) t(n)`;
    const whole = (await post(`${hosts.url}/query`, { sql, keep: '1h' }, ann)).bytes;
    const rows = rowEvents(whole.toString());
    for (let cut = 0; cut < 40; cut += 1) {
      const bytesMax = Math.floor(random() * whole.length);
      const transfer = { url: `${hosts.url}/query`, headers: ann, body: { sql, keep: '1h' } };
      const { queryId, bytes } = await readCut(transfer, bytesMax);
      const received = rowEvents(completeEvents(bytes).toString());
      const rest = await resume(queryId, `?after=${received.length}`);
      const all = [...received, ...rowEvents(withoutIds(rest.bytes))];
      expect([bytesMax, all.length, all.join('\n') === rows.join('\n')]).toEqual([bytesMax, rows.length, true]);
    }
  }, 120_000);

  it('is not readable, and not kept, where the result is not kept', async () => {
    const few = await hosts.build.tenant({ name: 'keeps-few', settings: { keptBytesMax: 2_000 } });
    const someone = { ...basicOf(await hosts.build.user(few)), host: 'keeps-few-stream.localhost' };
    const sql = slowRows(20_000);
    const direct = post(`${hosts.url}/query`, { sql, keep: '1h' }, someone);
    const id = await until(
      async () => {
        const rows = 'select query_id from kept_results where tenant_id = $1';
        return (await hosts.rows<{ query_id: string }>(rows, [few.id]))[0]?.query_id;
      },
      { what: 'the query' },
    );
    expect(await eventsOf(await resume(id, '', hosts.url, someone))).toEqual([
      { type: 'error', error: expect.stringContaining('was not kept'), code: 'NOT_FOUND', query_id: id },
    ]);
    expect(await lastOf(await direct)).toMatchObject({ type: 'complete', not_kept: expect.any(String) });
    expect((await resume(id, '', hosts.url, someone)).status).toBe(404);

    const left = await startAndLeave(sql, hosts.url, someone);
    const receipt = await finalReceipt(hosts.url, left, { credential: someone });
    expect(receipt).toMatchObject({
      state: 'CANCELLED',
      error: { message: expect.stringContaining('cannot be kept') },
    });
  });
});

describe('a kept query that no client asks for', () => {
  it('is cancelled after the wait, and frees its worker', async () => {
    const other = await startOther({ RESULT_RESUME_WAIT: '1s', WORKERS_MAX: '1' });
    try {
      const id = await startAndLeave(ENDLESS, other.url);
      expect(await receiptOf(other.url, id, ann)).toMatchObject({ ended_ts: null });
      const receipt = await finalReceipt(other.url, id, { credential: ann });
      expect(receipt).toMatchObject({
        state: 'CANCELLED',
        error: {
          code: 'QUERY_CANCELLED',
          message: 'The client left and did not come back within 1 s, so the query was cancelled.',
        },
      });
      expect((receipt.ended_ts ?? 0) - receipt.started_ts).toBeGreaterThanOrEqual(1_000);
      expect(await probeWorker(other.url, ann)).toBe(true);
      expect(await eventsOf(await resume(id))).toMatchObject([{ type: 'error', code: 'QUERY_CANCELLED' }]);
      await hosts.stream.context.resultPurge?.purge();
      expect(await hosts.rows('select 1 from kept_results where query_id = $1', [id])).toEqual([]);
      expect((await keeping.files()).filter((file) => file.includes(id))).toEqual([]);
    } finally {
      await other.drain();
    }
  });

  it('runs for as long as one waits, on any host', async () => {
    const short = { RESULT_RESUME_WAIT: '1s' };
    const [runs, waits] = [await startOther(short), await startOther(short)];
    try {
      const id = await startAndLeave(ENDLESS, runs.url);
      const waiting = openEvents(id, '', waits.url);
      const asked = () =>
        hosts.rows(`select 1 from kept_results where query_id = $1 and asked > created + interval '4 s'`, [id]);
      await until(async () => ((await asked()).length > 0 ? true : undefined), { what: 'four seconds of waiting' });
      expect(await receiptOf(runs.url, id, ann)).toMatchObject({ state: 'RUNNING', ended_ts: null });
      waiting.abort();
      expect(await finalReceipt(runs.url, id, { credential: ann })).toMatchObject({ state: 'CANCELLED' });
      expect(waiting.received().toString()).toContain(': keep-alive');
    } finally {
      await waits.drain();
      await runs.drain();
    }
  }, 60_000);

  it('ends with its connection where the wait is 0', async () => {
    const other = await startOther({ RESULT_RESUME_WAIT: '0' });
    try {
      const id = await startAndLeave(ENDLESS, other.url);
      expect(await finalReceipt(other.url, id, { credential: ann })).toMatchObject({
        state: 'CANCELLED',
        error: { message: 'The client closed the connection.' },
      });
    } finally {
      await other.drain();
    }
  });

  it('ends with its host, which says so', async () => {
    const other = await startOther();
    const id = await startAndLeave(ENDLESS, other.url);
    const waiting = resume(id);
    await other.drain();
    expect(await lastOf(await waiting)).toMatchObject({ type: 'error', code: 'SERVER_SHUTDOWN', query_id: id });
    expect(await receiptOf(hosts.url, id, ann)).toMatchObject({ state: 'FAILED' });
  });
});

describe('a client that waits on another host', () => {
  it('gets the rows of a query that this host does not run', async () => {
    const other = await startOther();
    try {
      const id = await startAndLeave(slowRows(100), other.url);
      const events = await eventsOf(await resume(id, '?progress=true'));
      expect(events[0]).toMatchObject({ type: 'progress', state: 'RUNNING', splits_total: null });
      expect(events.filter(({ type }) => type === 'row')).toHaveLength(100);
      expect(events.at(-1)).toMatchObject({ type: 'complete', rows: 100 });
    } finally {
      await other.drain();
    }
  });

  it('is cut, to ask again, when its own host stops', async () => {
    const other = await startOther({ DRAIN_GRACE: '0' });
    const id = await startAndLeave(ENDLESS);
    const waiting = openEvents(id, '', other.url);
    await waiting.untilText(': keep-alive');
    await other.drain();
    await waiting.ended;
    expect(waiting.received().toString()).not.toContain('"type"');
    expect(await receiptOf(hosts.url, id, ann)).toMatchObject({ state: 'RUNNING' });
    await cancel(id);
    await untilDetached(0);
  });
});
