import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { type Client, createClient } from '@sluice/client';
import { BENCH_HOME, prepareBenchHome } from '../bench-home.ts';
import type { Finding } from '../report.ts';
import { startSluice } from '../sluice-process.ts';
import { median } from '../statistics.ts';
import { TABLES } from './scenario.ts';

interface ClientOptions {
  readonly rounds: number;
  readonly print: (line: string) => void;
}

interface Reading {
  readonly ms: number;
  /** Largest resident set while the first and the last quarter of the rows were read, in bytes. */
  readonly firstQuarter: number;
  readonly lastQuarter: number;
}

const RECORDED = join(BENCH_HOME, 'lineitem.sse');
const PREFIX = 'data: ';
const SAMPLE_ROWS = 20_000;
const AUTHORIZATION = `Basic ${Buffer.from('analyst@acme.example:sluice-demo').toString('base64')}`;

/** Records the stream of the table with 1 million rows and 16 columns, as the client requests it. */
async function record(): Promise<void> {
  await prepareBenchHome();
  await using sluice = await startSluice(BENCH_HOME);
  const response = await fetch(`${sluice.streamUrl}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: AUTHORIZATION, 'accept-encoding': 'identity' },
    body: JSON.stringify({ sql: TABLES.lineitem.sql, big_numbers: 'string', progress: true }),
  });
  if (response.status !== 200 || response.body === null) throw new Error(`The query returned ${response.status}.`);
  await pipeline(Readable.fromWeb(response.body as NodeReadableStream), createWriteStream(RECORDED));
}

/** Time of JSON.parse alone for every event of the recorded bytes. Splitting them into events is not counted. */
async function parseOnly(): Promise<number> {
  let [ms, rest, objects] = [0, '', 0];
  for await (const text of createReadStream(RECORDED, 'utf8')) {
    const lines = `${rest}${String(text)}`.split('\n');
    rest = lines.pop() ?? '';
    const events = lines.filter((line) => line.startsWith(PREFIX)).map((line) => line.slice(PREFIX.length));
    const started = performance.now();
    for (const event of events) if (typeof JSON.parse(event) === 'object') objects += 1;
    ms += performance.now() - started;
  }
  if (objects < TABLES.lineitem.rows) throw new Error(`Only ${objects} events were recorded.`);
  return ms;
}

/** Creates a client that receives the recorded bytes. */
function createReplayClient(): Client {
  const url = 'http://127.0.0.1';
  const headers = { 'content-type': 'text/event-stream', 'x-query-id': 'recorded' };
  const replay = async (): Promise<Response> =>
    new Response(Readable.toWeb(createReadStream(RECORDED)) as ReadableStream<Uint8Array>, { headers });
  return createClient({ tenant: 'acme', streamUrl: url, apiUrl: url, auth: { token: () => 'none' }, fetch: replay });
}

async function readAll(numbers: 'string' | 'bigint'): Promise<Reading> {
  const started = performance.now();
  let [rows, firstQuarter, lastQuarter] = [0, 0, 0];
  for await (const _row of createReplayClient().query(TABLES.lineitem.sql, { numbers })) {
    rows += 1;
    if (rows % SAMPLE_ROWS !== 0) continue;
    const { rss } = process.memoryUsage();
    if (rows <= TABLES.lineitem.rows / 4) firstQuarter = Math.max(firstQuarter, rss);
    if (rows > (TABLES.lineitem.rows * 3) / 4) lastQuarter = Math.max(lastQuarter, rss);
  }
  if (rows !== TABLES.lineitem.rows) throw new Error(`The client read ${rows} rows.`);
  return { ms: performance.now() - started, firstQuarter, lastQuarter };
}

const speed = (name: string, parsed: readonly number[], read: readonly number[]): Finding => ({
  name: `client: rows of \`for await\`, ${name}, against JSON.parse of the same bytes`,
  measured: median(parsed) / median(read),
  unit: 'x',
  floor: 0.6,
  goal: 0.8,
  better: 'higher',
  detail: `${median(parsed).toFixed(0)} ms of JSON.parse, ${median(read).toFixed(0)} ms of the client, 1 million rows of 16 columns`,
});

/** Measures how fast the client reads recorded bytes, and whether its memory stays constant. */
export async function measureClient({ rounds, print }: ClientOptions): Promise<readonly Finding[]> {
  print('Recording the stream ...');
  await record();
  const [parsed, texts, bigints]: [number[], Reading[], Reading[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    print(`Round ${round + 1} of ${rounds} ...`);
    parsed.push(await parseOnly());
    texts.push(await readAll('string'));
    bigints.push(await readAll('bigint'));
  }
  const [firstQuarter, lastQuarter] = [texts.at(-1)?.firstQuarter ?? 0, texts.at(-1)?.lastQuarter ?? 0];
  return [
    speed(
      'numbers as strings',
      parsed,
      texts.map(({ ms }) => ms),
    ),
    speed(
      'numbers as bigint',
      parsed,
      bigints.map(({ ms }) => ms),
    ),
    {
      name: 'client: resident memory in the last quarter of the rows against the first',
      measured: lastQuarter / firstQuarter,
      unit: 'x',
      floor: 1.3,
      goal: 1.1,
      better: 'lower',
      detail: `${(firstQuarter / 1e6).toFixed(0)} MB and ${(lastQuarter / 1e6).toFixed(0)} MB`,
    },
  ];
}
