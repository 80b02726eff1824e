import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { basicOf, type Credential, post } from '../client/requests.ts';
import { type ChildHost, startChildHost } from '../hosts/child-host.ts';
import { startHosts, type TestHosts } from '../hosts/start-hosts.ts';

/** What makes Node.js seem to be a version that does not have the flags of this one. */
const WITHOUT_FLAGS =
  '--import=data:text/javascript,Object.defineProperty(process,%22allowedNodeEnvironmentFlags%22,{value:new%20Set()})';
const SMALLEST_MEMORY = { WORKER_MEMORY: '1536MiB', WORKERS_WARM: '0' };

let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts();
  ann = basicOf(hosts.ann);
}, 60_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
});

const SQL = `SELECT i, i * 1.5 AS d, i::DOUBLE / 7 AS f, 'text "' || i AS t, TIMESTAMP '2001-02-03' + to_seconds(i) AS at,
  [i, NULL] AS l, uuid_extract_timestamp('0190c6a0-0000-7000-8000-000000000000'::UUID) AS z FROM numbers AS r(i)`;
const PATHS = ['/query', '/query/download/json', '/query/download/ndjson', '/query/download/csv'];

/** Runs the statement in every format at the same time, in a worker each. Returns the bodies. */
const bodiesOf = (host: { readonly url: string }): Promise<readonly string[]> =>
  Promise.all(
    PATHS.map(async (path) => {
      const answer = await post(`${host.url}${path}`, { sql: SQL }, ann);
      expect([path, answer.status]).toEqual([path, 200]);
      return answer.text;
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

const warnings = (host: ChildHost): readonly string[] =>
  host
    .output()
    .split('\n')
    .filter((line) => line.includes('row writer'));

describe('the row writer', () => {
  it('is WebAssembly, also with the smallest WORKER_MEMORY, and SQL where Node.js lacks its flag: same bytes, one line in the log', async () => {
    const expected = await bodiesOf(hosts);
    expect(new Set(expected.map((body) => body.length > 1_000_000))).toEqual(new Set([true]));
    await withHost({}, async (host) => {
      expect(await bodiesOf(host)).toEqual(expected);
      expect(warnings(host)).toEqual([]);
    });
    await withHost({ NODE_OPTIONS: WITHOUT_FLAGS }, async (host) => {
      expect(await bodiesOf(host)).toEqual(expected);
      expect(warnings(host)).toEqual([
        expect.stringMatching(
          /"level":"warn".*The row writer \(WebAssembly\) cannot start, so SQL writes the rows .*DUCKDB_ROW_WRITER=sql.* Reason: .*memory/,
        ),
      ]);
    });
  }, 120_000);

  it('is SQL without a line in the log if DUCKDB_ROW_WRITER says so', async () => {
    await withHost({ DUCKDB_ROW_WRITER: 'sql', NODE_OPTIONS: WITHOUT_FLAGS }, async (host) => {
      expect(await bodiesOf(host)).toEqual(await bodiesOf(hosts));
      expect(warnings(host)).toEqual([]);
    });
  }, 60_000);
});
