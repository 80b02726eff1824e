import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildHost, startChildHost, startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, post } from '@sluice/testkit/requests';

/** Option that hides the flags of this version of Node.js, as if it did not have them. */
const WITHOUT_FLAGS =
  '--import=data:text/javascript,Object.defineProperty(process,%22allowedNodeEnvironmentFlags%22,{value:new%20Set()})';
/** Two workers, because several must write one line to the log. */
const WORKERS = { WORKERS_MAX: '2' };
const SMALLEST_MEMORY = { ...WORKERS, WORKER_MEMORY: '1536MiB' };

/** Whether WebAssembly starts within little address space without a flag: newer versions of Node.js turn its trap handler off themselves. */
const startsWithoutFlag = (): boolean => {
  const script = 'ulimit -v 3000000 && exec "$0" -e "new WebAssembly.Memory({ initial: 256, maximum: 256 })"';
  return spawnSync('/bin/sh', ['-c', script, process.execPath], { stdio: 'ignore' }).status === 0;
};

let folder: string;
let hosts: TestHosts;
let ann: Credential;
let expected: readonly string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-row-writer-'));
  hosts = await startHosts(WORKERS);
  ann = basicOf(hosts.ann);
  expected = await bodiesOf(hosts);
});
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Returns the environment of a host whose workers have no WebAssembly, with any version of Node.js. */
async function withoutWebAssembly(): Promise<Readonly<Record<string, string>>> {
  const node = join(folder, 'node');
  await writeFile(node, `#!/bin/sh\nexec "${process.execPath}" --jitless "$@"\n`);
  await chmod(node, 0o755);
  return { NODE_OPTIONS: `--import=data:text/javascript,process.execPath=%22${encodeURIComponent(node)}%22` };
}

const SQL = `SELECT i, i * 1.5 AS d, i::DOUBLE / 7 AS f, 'text "' || i AS t, TIMESTAMP '2001-02-03' + to_seconds(i) AS at,
  [i, NULL] AS l, uuid_extract_timestamp('0190c6a0-0000-7000-8000-000000000000'::UUID) AS z FROM numbers AS r(i) WHERE i < 20000`;
const PATHS = ['/query', '/query/download/json', '/query/download/ndjson', '/query/download/csv'];

/** Runs the statement in every format at the same time, in two workers. Returns the bodies. */
const bodiesOf = (host: { readonly url: string }): Promise<readonly string[]> =>
  Promise.all(
    PATHS.map(async (path) => {
      const answer = await post(`${host.url}${path}`, { sql: SQL }, ann);
      expect([path, answer.status]).toEqual([path, 200]);
      return answer.text;
    }),
  );

/** Returns the messages with which a host without a row writer rejects the statement. */
const problemsOf = (host: { readonly url: string }): Promise<readonly (string | undefined)[]> =>
  Promise.all(
    PATHS.map(async (path) => {
      const { status, text } = await post(`${host.url}${path}`, { sql: SQL }, ann);
      expect([path, status]).toEqual([path, path === '/query' ? 200 : 503]);
      expect(text).toMatch(/"engine_unavailable"/i);
      return /"(The row writer [^"]*)"/.exec(text)?.[1];
    }),
  );

async function withHost<T>(
  settings: Readonly<Record<string, string>>,
  work: (host: ChildHost) => Promise<T>,
): Promise<T> {
  const host = await startChildHost(hosts, { ...SMALLEST_MEMORY, ...settings });
  try {
    return await work(host);
  } finally {
    host.child.kill('SIGTERM');
    await host.exited;
  }
}

describe('the row writer', () => {
  it('is WebAssembly, also with the smallest WORKER_MEMORY', async () => {
    expect(new Set(expected.map((body) => body.length > 1_000_000))).toEqual(new Set([true]));
    await withHost({}, async (host) => expect(await bodiesOf(host)).toEqual(expected));
  }, 120_000);

  it('that cannot start is a problem with its reason: Node.js lacks its flag and needs it', async () => {
    await withHost({ NODE_OPTIONS: WITHOUT_FLAGS }, async (host) => {
      if (startsWithoutFlag()) expect(await bodiesOf(host)).toEqual(expected);
      else expect(await problemsOf(host)).toEqual(PATHS.map(() => expect.stringMatching(/Reason: .*memory/)));
    });
  }, 120_000);

  it('that cannot start is a problem with its reason: Node.js has no WebAssembly', async () => {
    await withHost(await withoutWebAssembly(), async (host) => {
      expect(await problemsOf(host)).toEqual(
        PATHS.map(() =>
          expect.stringMatching(/^The row writer \(WebAssembly\) cannot start\. .* Reason: .*WebAssembly/),
        ),
      );
    });
  }, 120_000);
});
