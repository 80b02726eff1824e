import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ChildHost, residentBytes, startChildHost, startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, post, queryIdOf } from '@sluice/testkit/requests';

const MIB = 1024 * 1024;
const ROWS = 1_000_000;

let hosts: TestHosts;
let host: ChildHost;
let ann: Credential;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-kept-memory-'));
  hosts = await startHosts({
    RESULT_FOLDER: join(folder, 'results'),
    RESULT_KEY: randomBytes(32).toString('base64'),
    RESULT_KEEP_MAX: '24h',
  });
  host = await startChildHost(hosts);
  ann = basicOf(hosts.ann);
}, 180_000);
afterAll(async () => {
  host?.child.kill('SIGKILL');
  await hosts?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

interface Download {
  readonly bytes: number;
  readonly sha256: string;
  readonly digest: string | null;
  /** Peak resident memory of the host. */
  readonly hostPeakBytes: number;
}

async function keep(rows: number): Promise<string> {
  const sql = `SELECT i AS id, md5(i::VARCHAR) AS text, i * 0.5 AS half, 'row number ' || i AS label FROM range(${rows}) AS r(i)`;
  return queryIdOf(await post(`${host.url}/query`, { sql, keep: '1h' }, ann));
}

async function download(id: string): Promise<Download> {
  let isOver = false;
  let hostPeakBytes = 0;
  const watch = (async () => {
    while (!isOver) {
      hostPeakBytes = Math.max(hostPeakBytes, await residentBytes(host.child.pid ?? -1));
      await wait(20);
    }
  })();
  const response = await fetch(`${host.url}/query/${id}/download/csv`, { headers: ann });
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    hash.update(chunk);
    bytes += chunk.byteLength;
  }
  isOver = true;
  await watch;
  const digest = response.headers.get('repr-digest');
  return { bytes, sha256: hash.digest('base64'), digest, hostPeakBytes };
}

it('a file of a million rows of a kept result needs no more memory of the host than one of few rows', async () => {
  const [few, many] = [await keep(1_000), await keep(ROWS)];
  await download(few);
  await download(await keep(100_000)); // the code of both paths is compiled
  const short = await download(few);
  const long = await download(many);
  expect(long.bytes).toBeGreaterThan(60 * MIB);
  expect(long.digest).toBe(`sha-256=:${long.sha256}:`);
  expect(long.hostPeakBytes - short.hostPeakBytes).toBeLessThan(48 * MIB);
}, 300_000);
