import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildHost, residentBytes, startChildHost, startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, finalReceipt } from '@sluice/testkit/requests';
import { installOpenpyxl, openpyxl, sumUpByOpenpyxl } from '../tests/results/workbook-readers.ts';

const MIB = 1024 * 1024;
/** ECMA-376 allows 1,048,576 rows per sheet, including the header. */
const SHEET_ROWS_MAX = 1_048_575;
const ROWS = 1_100_000;

let hosts: TestHosts;
let host: ChildHost;
let ann: Credential;
let folder: string;
beforeAll(async () => {
  await installOpenpyxl();
  openpyxl[Symbol.dispose]();
  folder = await mkdtemp(join(tmpdir(), 'sluice-workbook-'));
  hosts = await startHosts();
  host = await startChildHost(hosts);
  ann = basicOf(hosts.ann);
}, 180_000);
afterAll(async () => {
  host?.child.kill('SIGKILL');
  await hosts?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

interface Download {
  readonly file: string;
  readonly sha256: string;
  readonly queryId: string;
  /** Peak resident memory of the host. */
  readonly hostPeakBytes: number;
}

async function download(rows: number): Promise<Download> {
  const response = await fetch(`${host.url}/query/download/xlsx`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...ann },
    body: JSON.stringify({ sql: `SELECT range AS n, 'row ' || range AS name FROM range(${rows})` }),
  });
  if (response.status !== 200 || response.body === null) throw new Error(await response.text());
  const file = join(folder, `${rows}.xlsx`);
  const hash = createHash('sha256');
  const isDone = pipeline(
    Readable.fromWeb(response.body),
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(file),
  );
  const peak = await peakWhile(isDone);
  return { file, sha256: hash.digest('hex'), queryId: response.headers.get('x-query-id') ?? '', hostPeakBytes: peak };
}

async function peakWhile(work: Promise<void>): Promise<number> {
  let isOver = false;
  let peak = 0;
  const watch = (async () => {
    while (!isOver) {
      peak = Math.max(peak, await residentBytes(host.child.pid ?? -1));
      await wait(50);
    }
  })();
  await work.finally(() => {
    isOver = true;
  });
  await watch;
  return peak;
}

/** Sum of the integers from `first` to `last`. */
const sumOf = (first: number, last: number): number => ((first + last) * (last - first + 1)) / 2;

describe('a workbook with more rows than a sheet allows', () => {
  it('continues in another sheet without loss and without more memory of the host', async () => {
    const short = await download(100_000);
    const long = await download(ROWS);
    expect(long.hostPeakBytes - short.hostPeakBytes).toBeLessThan(64 * MIB);

    const receipt = await finalReceipt(host.url, long.queryId, { credential: ann, withinMs: 5_000 });
    expect(receipt).toMatchObject({ state: 'FINISHED', rows: ROWS, sha256: long.sha256 });

    const sheets = [
      { rows: SHEET_ROWS_MAX + 1, sum: sumOf(0, SHEET_ROWS_MAX - 1), last: `row ${SHEET_ROWS_MAX - 1}` },
      { rows: ROWS - SHEET_ROWS_MAX + 1, sum: sumOf(SHEET_ROWS_MAX, ROWS - 1), last: `row ${ROWS - 1}` },
    ];
    expect((await sumUpByOpenpyxl(long.file)).slice(0, 2)).toEqual(sheets);
  }, 600_000);
});
