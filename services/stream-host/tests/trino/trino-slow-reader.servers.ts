import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findTrinoQuery, type MarkedSql, marked } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, receiptOf } from '@sluice/testkit/requests';
import { TRINO_STATEMENTS } from '@sluice/testkit/statements';

// A separate Trino, configured to abandon a query soon when its client is silent.
const PORT = '28096';
const CLIENT_TIMEOUT = '10s';
const TRINO = `http://127.0.0.1:${PORT}`;
const SCRIPT = fileURLToPath(new URL('../../../../deploy/components/trino.mjs', import.meta.url));
const START_MS = 300_000;
const PAUSE_MS = 25_000;
/** 80 MB, more than Trino, the worker, the host and the sockets buffer together. */
const ROWS = 80_000;
const ROW_BYTES = 1_000;
const PAUSES_AFTER_BYTES = 1_000_000;

const trino = (command: string) =>
  promisify(execFile)(process.execPath, [SCRIPT, command, '--port', PORT, '--client-timeout', CLIENT_TIMEOUT]);

let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  await trino('start');
  hosts = await startHosts(
    { ENGINE_URL: TRINO, ENGINE_CATALOGS: 'tpch', ENGINE_HEARTBEAT: '1s', WORKERS_WARM: '2' },
    { engine: 'duckdb' },
  );
  ann = basicOf(hosts.ann);
}, START_MS);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
  await trino('stop');
}, START_MS);

/** Reads a part of a result, pauses, and reads the rest. Rejects when the connection is cut. */
async function readWithPause(path: string, statement: MarkedSql): Promise<string> {
  const response = await fetch(`${hosts.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-encoding': 'identity', ...ann },
    body: JSON.stringify({ sql: statement.sql }),
  });
  expect(response.status).toBe(200);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  let hasPaused = false;
  for await (const part of response.body ?? []) {
    parts.push(part);
    bytes += part.byteLength;
    if (hasPaused || bytes < PAUSES_AFTER_BYTES) continue;
    await wait(PAUSE_MS);
    hasPaused = true;
    expect(await findTrinoQuery(statement, TRINO)).toMatchObject({ state: 'RUNNING', errorCode: null });
    const sent = (await receiptOf(hosts.url, response.headers.get('x-query-id') ?? '', ann)).bytes;
    expect(sent).toBeLessThan((ROWS * ROW_BYTES) / 2);
  }
  expect(hasPaused).toBe(true);
  return Buffer.concat(parts).toString();
}

/** All rows differ; Trino would store equal ones only once. */
const SQL = `SELECT n, rpad(CAST(n AS varchar), ${ROW_BYTES}, 'x') AS filler FROM (${TRINO_STATEMENTS.count(ROWS)}) AS t`;

function expectWhole(text: string, rowPattern: RegExp, end: string): void {
  const numbers = Array.from(text.matchAll(rowPattern), ([, n]) => Number(n));
  expect(numbers.length).toBe(ROWS);
  expect(numbers.findIndex((n, index) => n !== index)).toBe(-1);
  expect(text.endsWith(end)).toBe(true);
}

describe('a client that pauses for longer than Trino’s client timeout', () => {
  it('receives all rows and the end, of a stream and of a file', async () => {
    const [events, file] = await Promise.all([
      readWithPause('/query', marked(SQL)),
      readWithPause('/query/download/csv', marked(SQL)),
    ]);
    expectWhole(events, /^data: \{"type":"row","data":\{"n":(\d+),/gm, 'data: {"type":"complete"}\n\n');
    expectWhole(file, /^(\d+),\1x+$/gm, 'x\n');
  });
});
