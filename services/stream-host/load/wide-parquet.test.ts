import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildHost, residentBytes, startChildHost, startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, finalReceipt } from '@sluice/testkit/requests';

const MIB = 1024 * 1024;
const COLUMNS = 60;

let hosts: TestHosts;
let host: ChildHost;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts();
  host = await startChildHost(hosts);
  ann = basicOf(hosts.ann);
}, 180_000);
afterAll(async () => {
  host?.child.kill('SIGKILL');
  await hosts?.[Symbol.asyncDispose]();
});

interface Download {
  readonly bytes: number;
  readonly sha256: string;
  readonly queryId: string;
  readonly end: string;
  /** Peak resident memory of the host and of its largest worker. */
  readonly hostPeakBytes: number;
  readonly workerPeakBytes: number;
}

const sqlOf = (rows: number): string =>
  `SELECT ${Array.from({ length: COLUMNS }, (_, at) => `md5(concat(range, '-${at}')) AS c${at}`).join(', ')} FROM range(${rows})`;

async function download(rows: number): Promise<Download> {
  const response = await fetch(`${host.url}/query/download/parquet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...ann },
    body: JSON.stringify({ sql: sqlOf(rows) }),
  });
  if (response.status !== 200 || response.body === null) throw new Error(await response.text());
  const peaks = watchPeaks();
  const hash = createHash('sha256');
  let bytes = 0;
  let end = '';
  const queryId = response.headers.get('x-query-id') ?? '';
  try {
    for await (const chunk of response.body) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      end = (end + Buffer.from(chunk).toString('latin1')).slice(-4);
    }
  } catch (cause) {
    await peaks.stop();
    const receipt = await finalReceipt(host.url, queryId, { credential: ann, withinMs: 30_000 });
    throw new Error(`cut after ${bytes} bytes: ${JSON.stringify(receipt)}`, { cause });
  }
  return { bytes, sha256: hash.digest('hex'), queryId, end, ...(await peaks.stop()) };
}

function watchPeaks() {
  const peaks = { hostPeakBytes: 0, workerPeakBytes: 0 };
  let isOver = false;
  const watch = (async () => {
    while (!isOver) {
      peaks.hostPeakBytes = Math.max(peaks.hostPeakBytes, await residentBytes(host.child.pid ?? -1));
      for (const pid of await host.workerPids()) {
        peaks.workerPeakBytes = Math.max(peaks.workerPeakBytes, await residentBytes(pid).catch(() => 0));
      }
      await wait(50);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watch;
      return peaks;
    },
  };
}

describe('a Parquet file that is much larger than a row group', () => {
  it('is complete and takes no more memory of host and worker than a small one', async () => {
    await download(10_000); // the first download maps memory once, which is not growth
    const small = await download(10_000);
    const large = await download(100_000);
    expect(large.bytes).toBeGreaterThan(180 * MIB);
    expect(large.end).toBe('PAR1');
    expect(large.hostPeakBytes - small.hostPeakBytes).toBeLessThan(64 * MIB);
    expect(large.workerPeakBytes - small.workerPeakBytes).toBeLessThan(128 * MIB);
    const receipt = await finalReceipt(host.url, large.queryId, { credential: ann, withinMs: 5_000 });
    expect(receipt).toMatchObject({ state: 'FINISHED', rows: 100_000, bytes: large.bytes, sha256: large.sha256 });
  }, 300_000);
});
