import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@sluice/testkit';
import { basicOf, type Credential, send } from '../client/requests.ts';
import { listOf } from '../client/running-queries.ts';
import { startChildHost } from '../hosts/child-host.ts';
import { startHosts, type TestHosts } from '../hosts/start-hosts.ts';
import { CUT, countTo } from '../statements/statements.ts';
import { ASSERT_CUT, type Cut, FORMATS, type FormatName, PATHS } from './assert-cut.ts';
import { CLIENTS, FAILURES, type Transfer } from './third-party-clients.ts';

const WORKERS = { WORKERS_MAX: '8', WORKERS_WARM: '4' };

let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts(WORKERS);
  ann = basicOf(hosts.ann);
}, 60_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

interface Reader {
  readonly client: string;
  readonly format: FormatName;
}

type Read = Reader & Transfer;

async function read(reader: Reader, sql: string, url: string): Promise<Read> {
  const transfer = await CLIENTS.get(reader.client)?.({ url: `${url}${PATHS[reader.format]}`, sql, credential: ann });
  if (transfer === undefined) throw new Error(`there is no client ${reader.client}`);
  return { ...reader, ...transfer };
}

const byAll = (format: FormatName): Reader[] => [...CLIENTS.keys()].map((client) => ({ client, format }));
/** Reads each format with one client; the assignment rotates with the index. */
const byTurns = (index: number): Reader[] =>
  FORMATS.map((format, shift) => ({ client: [...CLIENTS.keys()][(index + shift) % CLIENTS.size] ?? '', format }));

async function expectCut(reads: readonly Read[], cut: Cut): Promise<void> {
  for (const read of reads) {
    try {
      await ASSERT_CUT[read.format](read, cut);
    } catch (thrown) {
      throw new Error(`${read.format} by ${read.client}: ${(thrown as Error).message}`);
    }
  }
}

describe('a complete result', () => {
  it.each(FORMATS)('ends without an error for curl, fetch and Python in %s', async (format) => {
    const sql = countTo(100_000);
    for (const { client, status, failure, text } of await Promise.all(
      byAll(format).map((reader) => read(reader, sql, hosts.url)),
    )) {
      expect([client, status, failure]).toEqual([client, 200, undefined]);
      expect(text).toMatch(/99999\}?\n$|\{"n":99999\}\n\]\}$|\n\ndata: \{"type":"complete"\}\n\n$/);
    }
  });
});

const EACH_ROW = CUT.rows.map((row, index) => [row, index] as const);

describe.each(EACH_ROW)('a failure in row %i', (row) => {
  it.each(FORMATS)(
    'by error() is reported in %s, or fails the transfer, for curl, fetch and Python',
    async (format) => {
      const reads = await Promise.all(byAll(format).map((reader) => read(reader, CUT.errorIn(row), hosts.url)));
      await expectCut(reads, { row, code: 'DATA_ERROR', status: 400, message: new RegExp(`^boom at row ${row}$`) });
    },
  );

  it.each(FORMATS)('by a cast is reported in %s, or fails the transfer, for curl, fetch and Python', async (format) => {
    const reads = await Promise.all(byAll(format).map((reader) => read(reader, CUT.failedCastIn(row), hosts.url)));
    const location = CUT.castLocation(row);
    const cut = { row, code: 'DATA_ERROR', status: 400, message: new RegExp(`^${CUT.failedCast(row)}`) };
    await expectCut(reads, location === undefined ? cut : { ...cut, location });
  });
});

interface Stopping {
  readonly readers: readonly Reader[];
  readonly row: number;
  readonly url: string;
  readonly stop: (queryId: string) => Promise<unknown> | unknown;
}

/** Waits until every query runs and, for late rows, has sent rows; then stops them. */
async function stopIn({ readers, row, url, stop }: Stopping): Promise<readonly Read[]> {
  const known = new Set((await listOf(url, ann)).map(({ query_id }) => query_id));
  const reads = readers.map((reader) => read(reader, CUT.silentFrom(row), url));
  const running = await until(
    async () => {
      const listed = (await listOf(url, ann)).filter(({ query_id }) => !known.has(query_id));
      const ready = listed.filter(({ state, rows }) => state === 'RUNNING' && (row < CUT.farRow || rows > 0));
      return ready.length === readers.length ? ready : undefined;
    },
    { what: `queries in row ${row}`, withinMs: 20_000 },
  );
  for (const { query_id } of running) await stop(query_id);
  return await Promise.all(reads);
}

describe('a cancelled query', () => {
  const stop = (id: string): Promise<unknown> =>
    send(`${hosts.url}/query/${id}`, { method: 'DELETE', headers: { ...ann } });
  const cut = { code: 'QUERY_CANCELLED', status: 409, message: /cancelled by its caller/ };

  it.each(EACH_ROW)('in row %i reports it or fails the transfer', async (row, index) => {
    await expectCut(await stopIn({ readers: byTurns(index), row, url: hosts.url, stop }), { ...cut, row });
  });

  it.each(FORMATS)('reports it in %s, or fails the transfer, for curl, fetch and Python', async (format) => {
    const row = CUT.farRow;
    await expectCut(await stopIn({ readers: byAll(format), row, url: hosts.url, stop }), { ...cut, row });
  });
});

describe('a query whose worker is killed', () => {
  it.each(EACH_ROW)(
    'in row %i reports it or fails the transfer',
    async (row, index) => {
      const stop = (): void => {
        for (const pid of hosts.stream.context.workers.pids) process.kill(pid, 'SIGKILL');
      };
      const reads = await stopIn({ readers: byTurns(index), row, url: hosts.url, stop });
      await expectCut(reads, { row, code: 'ENGINE_CRASHED', status: 503, message: /killed from outside/ });
    },
    60_000,
  );
});

describe('a query whose host is killed', () => {
  it.each(EACH_ROW)(
    'in row %i looks complete in no format',
    async (row, index) => {
      const { child, url } = await startChildHost(hosts, { WORKERS_MAX: '8', WORKERS_WARM: '3' });
      const stop = (): boolean => child.kill('SIGKILL');
      for (const { client, format, failure, text } of await stopIn({ readers: byTurns(index), row, url, stop })) {
        expect([client, format, failure]).toEqual([client, format, expect.stringMatching(FAILURES)]);
        expect(text).not.toMatch(/"type":"(?:complete|error)"|"error":/);
        expect(() => JSON.parse(text)).toThrow();
      }
    },
    60_000,
  );
});
