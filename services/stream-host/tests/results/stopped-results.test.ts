import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSlowReader, until } from '@sluice/testkit';
import { basicOf, type Credential, post, send } from '../client/requests.ts';
import { listOf } from '../client/running-queries.ts';
import { type ChildHost, startChildHost } from '../hosts/child-host.ts';
import { startHosts, type TestHosts } from '../hosts/start-hosts.ts';
import { LONG } from '../statements/statements.ts';

let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts({ WORKERS_MAX: '8', WORKERS_WARM: '3' });
  ann = basicOf(hosts.ann);
  // The first queries open connections and workers. A busy machine may reject one of them, which is not tested here.
  await until(
    async () => ((await post(`${hosts.url}/query`, { sql: 'SELECT 1' }, ann)).status === 200 ? true : undefined),
    {
      what: 'a first response',
      withinMs: 30_000,
    },
  );
}, 60_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const PATHS = ['/query', '/query/download/json', '/query/download/csv'];

interface Cut {
  readonly url: string;
  readonly stop: (queryId: string) => Promise<unknown> | unknown;
}

/** Reads an endless result in each format, pauses after 100 kB, stops the queries, and reads on. */
async function readUntilStopped({ url, stop }: Cut): Promise<Buffer[]> {
  const readers = PATHS.map((path) =>
    openSlowReader({
      url: `${url}${path}`,
      headers: { 'content-type': 'application/json', connection: 'close', ...ann },
      body: JSON.stringify({ sql: LONG }),
    }),
  );
  try {
    await Promise.all(readers.map((reader) => reader.untilBytes(100_000)));
    for (const reader of readers) reader.readAt(0);
    const running = await until(
      async () => {
        const listed = await listOf(url, ann);
        return listed.length === PATHS.length ? listed : undefined;
      },
      { what: 'all queries', withinMs: 5000 },
    );
    for (const { query_id } of running) await stop(query_id);
    for (const reader of readers) reader.readAt(Number.POSITIVE_INFINITY);
    await Promise.all(readers.map((reader) => reader.ended));
    return readers.map((reader) => reader.received());
  } finally {
    for (const reader of readers) reader[Symbol.dispose]();
  }
}

/** Parses a chunked body; `isWhole` is true when its last chunk has arrived. */
function bodyOf(received: Buffer): { readonly text: string; readonly isWhole: boolean } {
  const pieces: Buffer[] = [];
  let at = received.indexOf('\r\n\r\n') + 4;
  for (;;) {
    const end = received.indexOf('\r\n', at);
    const size = end === -1 ? Number.NaN : Number.parseInt(received.toString('latin1', at, end), 16);
    if (Number.isNaN(size)) return { text: Buffer.concat(pieces).toString(), isWhole: false };
    if (size === 0) return { text: Buffer.concat(pieces).toString(), isWhole: true };
    pieces.push(received.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

function expectToldOrCut(received: readonly Buffer[], code: string): void {
  const [stream, json, csv] = received.map(bodyOf);
  expect(stream?.text.match(/"type":"(?:error|complete)"/g)).toEqual(['"type":"error"']);
  expect(stream?.text).toMatch(new RegExp(`"code":"${code}","query_id":"[^"]+"}\n\n$`));
  expect(JSON.parse(json?.text ?? '')).toMatchObject({ code, error: expect.any(String) });
  expect([stream?.isWhole, json?.isWhole, csv?.isWhole]).toEqual([true, true, false]);
}

describe('a result that is stopped between its rows', () => {
  it('by a cancel is reported by a stream and JSON, and CSV is cut', async () => {
    const stop = (id: string) => send(`${hosts.url}/query/${id}`, { method: 'DELETE', headers: { ...ann } });
    expectToldOrCut(await readUntilStopped({ url: hosts.url, stop }), 'QUERY_CANCELLED');
  });

  it('by the end of its worker is reported by a stream and JSON, and CSV is cut', async () => {
    const { workers } = hosts.stream.context;
    const stop = (): void => {
      for (const pid of workers.pids) process.kill(pid, 'SIGKILL');
    };
    expectToldOrCut(await readUntilStopped({ url: hosts.url, stop }), 'ENGINE_CRASHED');
  });

  it('by the end of its host is cut in all formats', async () => {
    const child: ChildHost = await startChildHost(hosts, { WORKERS_MAX: '8', WORKERS_WARM: '3' });
    const stop = (): boolean => child.child.kill('SIGKILL');
    for (const { text, isWhole } of (await readUntilStopped({ url: child.url, stop })).map(bodyOf)) {
      expect(isWhole).toBe(false);
      expect(text).not.toMatch(/"complete"|"error"/);
      expect(() => JSON.parse(text)).toThrow();
    }
  }, 120_000);
});
