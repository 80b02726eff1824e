/** Streams through a proxy: nothing is buffered, cut or kept running for a client that left. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@sluice/testkit';
import { childrenOf, residentMib } from '../../docker/process-figures.mjs';
import { duckdb } from '../../helm/checks/manifest-fixture.mjs';
import { basic, emailOf, hostOf, json } from '../../helm/checks/manifest-tenants.mjs';
import { HEARTBEAT_MS, postJson, SCALE, signIn } from './proxied-cluster.mjs';
import { fetchText, requireEnd } from './tls-client.mjs';

const STREAM = hostOf('acme', 'stream');
const ann = basic(emailOf('acme'));
const TEN_MINUTES_MS = 600_000 * SCALE;
/** Much longer than a pause of a busy machine. */
const READ_WITHIN_MS = 60_000;
const MIB = 2 ** 20;
/** Selects more rows than this test reads, of about 60 bytes each. */
export const LONG_FILE = 'SELECT n, n + 1 AS second, n * 2 AS third, n * 3 AS fourth FROM range(4000000000) t(n)';

/** Returns the receipt of a query of acme's administrator. */
export async function receiptOf(client, queryId) {
  const { status, text } = await fetchText(client, STREAM, `/query/${queryId}`, { headers: ann });
  assert.equal(status, 200, text);
  return JSON.parse(text);
}

/** Cancels a query of acme's administrator. */
export async function cancel(client, queryId) {
  const { status, text } = await fetchText(client, STREAM, `/query/${queryId}`, { method: 'DELETE', headers: ann });
  assert.ok(status === 202 || status === 200, text);
}

export const untilState = (client, queryId, state) =>
  until(async () => (await receiptOf(client, queryId)).state === state || undefined, {
    what: `state ${state} of the query`,
    withinMs: READ_WITHIN_MS,
  });

/** Starts a query of acme's administrator that runs for hours. */
export async function startQuery(client, more = {}) {
  const response = await postJson(client, STREAM, '/query', { sql: duckdb.longSql, ...more }, ann);
  assert.equal(response.status, 200);
  return { ...response, queryId: response.headers['x-query-id'], reads: readsOf(response.stream) };
}

/** Reads of a body; a read that takes too long fails. */
async function* readsOf(stream) {
  const iterator = stream[Symbol.asyncIterator]();
  for (;;) {
    const tooLate = delay(READ_WITHIN_MS, undefined, { ref: false }).then(() => assert.fail('nothing arrives'));
    const { done, value } = await Promise.race([iterator.next(), tooLate]);
    if (done) break;
    yield String(value);
  }
  requireEnd(stream);
}

async function nextOf(reads) {
  const { done, value } = await reads.next();
  assert.ok(!done, 'the stream ended');
  return value;
}

/** Reads until what has arrived matches. */
async function readUntil(reads, pattern) {
  let text = '';
  while (!pattern.test(text)) text += await nextOf(reads);
}

/** Reads to the end and returns everything. */
export async function restOf(reads) {
  let text = '';
  for await (const read of reads) text += read;
  return text;
}

/** The statement never ends, so whatever a proxy holds back never arrives. */
export async function checkEvents({ client }) {
  const { queryId, reads } = await startQuery(client, { progress: true });
  await readUntil(reads, /"type":"metadata"/);
  assert.equal((await receiptOf(client, queryId)).state, 'RUNNING');
  for (let count = 0; count < 2; count += 1) await readUntil(reads, /"type":"progress"/);
  await cancel(client, queryId);
  assert.match(await restOf(reads), /"type":"error"[^\n]*QUERY_CANCELLED/);
}

/** The events of the audit log, which the API host sends, arrive while its stream goes on. */
export async function checkAuditEvents({ client }) {
  const { id_token: idtoken } = await signIn(client, 'acme');
  const response = await client.send(hostOf('acme', 'api'), '/audits/logs/stream?after=0', { headers: { idtoken } });
  assert.equal(response.status, 200);
  await readUntil(readsOf(response.stream), /"action":"LOGIN"/);
  response.stream.destroy();
}

/** Starts a stream that has only heartbeats. The returned function waits for ten scaled minutes, and ends and checks it. */
export async function startLongStream({ client }) {
  const startedAt = performance.now();
  const { queryId, reads } = await startQuery(client);
  let text = '';
  const reading = (async () => {
    for await (const read of reads) text += read;
  })();
  reading.catch(() => undefined);
  return async (other) => {
    await Promise.race([reading, delay(Math.max(0, startedAt + TEN_MINUTES_MS - performance.now()))]);
    assert.doesNotMatch(text, /"type":"error"/);
    const heartbeats = text.match(/^:/gm).length;
    // A busy machine may skip some; the time-outs of the proxies are four intervals.
    assert.ok(heartbeats > TEN_MINUTES_MS / HEARTBEAT_MS / 2, `${heartbeats} heartbeats`);
    await cancel(other, queryId);
    await reading;
    assert.match(text, /"type":"error"[^\n]*QUERY_CANCELLED/);
    return heartbeats;
  };
}

/** Starts a file without an end and reads this much of it. */
export async function startFile(client, bytes) {
  const response = await postJson(client, STREAM, '/query/download/csv', { sql: LONG_FILE }, ann);
  assert.equal(response.status, 200);
  const reads = readsOf(response.stream);
  for (let read = 0; read < bytes; ) read += (await nextOf(reads)).length;
  return { ...response, queryId: response.headers['x-query-id'], reads };
}

/** A reader that pauses stops the engine; no memory or file on the way grows. Then it leaves, which cancels the query. */
export async function checkSlowReader({ name, client, proxy }, pods) {
  const before = figuresOf(pods, proxy);
  const { queryId, reads, stream } = await startFile(client, MIB);
  let written = 0;
  const findPause = async () => {
    const previous = written;
    written = figuresOf(pods, proxy).written;
    await delay(1000);
    return written - previous < MIB ? true : undefined;
  };
  await until(findPause, { what: 'the pause of the host', withinMs: READ_WITHIN_MS });
  const after = figuresOf(pods, proxy);
  const more = Object.fromEntries(Object.keys(after).map((key) => [key, after[key] - before[key]]));
  const sent = (more.written / MIB).toFixed(1);
  process.stdout.write(`${name}: the hosts pause after ${sent} MiB; ${more.hosts} and ${more.proxy} MiB more memory\n`);
  assert.ok(more.written <= 64 * MIB, `${sent} MiB`);
  assert.ok(more.hosts <= 64, `hosts: ${more.hosts} MiB`);
  assert.ok(more.proxy <= 32, `proxy: ${more.proxy} MiB`);
  assert.deepEqual(proxy.temporaryFiles(), []);
  // The engine goes on with the reader.
  for (let read = 0; read < more.written + 16 * MIB; ) read += (await nextOf(reads)).length;
  stream.destroy();
  await untilState(client, queryId, 'CANCELLED');
}

/** Bytes that the stream hosts have written, and resident memory of them and of the proxy. */
const figuresOf = ({ stream }, { pid }) => ({
  written: stream.reduce((sum, pod) => sum + pod.writtenBytes(), 0),
  hosts: stream.reduce((sum, pod) => sum + pod.residentMib().host, 0),
  proxy: [pid, ...childrenOf(pid)].reduce((sum, each) => sum + residentMib(each), 0),
});

/** A client that leaves ends its query, while only heartbeats are sent and before the first byte of a file. */
export async function checkLeaving({ client }) {
  const { queryId, reads, stream } = await startQuery(client);
  await nextOf(reads);
  stream.destroy();
  await untilState(client, queryId, 'CANCELLED');
  const leaving = new AbortController();
  const sql = duckdb.longSql.replace('count(*)', `count(*) AS ${randomName()}`);
  const options = {
    method: 'POST',
    headers: { ...json, ...ann },
    body: JSON.stringify({ sql }),
    signal: leaving.signal,
  };
  const sending = client.send(STREAM, '/query/download/csv', options);
  sending.catch(() => undefined);
  const findFile = async () => {
    const { text } = await fetchText(client, STREAM, '/query', { headers: ann });
    return JSON.parse(text).data.find((query) => query.sql === sql && query.state === 'RUNNING');
  };
  const file = await until(findFile, { what: 'the start of the file', withinMs: READ_WITHIN_MS });
  leaving.abort();
  await assert.rejects(sending);
  await untilState(client, file.query_id, 'CANCELLED');
}

const randomName = () => `file_${Math.random().toString(36).slice(2)}`;
