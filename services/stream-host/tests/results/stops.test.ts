import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@sluice/testkit';
import { finalReceipt } from '../client/receipts.ts';
import { basicOf, post, send } from '../client/requests.ts';
import { startChildHost } from '../hosts/child-host.ts';
import { startHosts, type TestHosts } from '../hosts/start-hosts.ts';
import { CUT, countTo } from '../statements/statements.ts';
import { FORMATS } from './assert-cut.ts';
import { byAll, byTurns, expectCut, type Read, read, readByNode, type Source, stopIn } from './read-transfers.ts';
import { stopPausedReaders } from './stop-paused-readers.ts';
import { STOPS, type Stop } from './stops.ts';
import { FAILURES, PythonClients } from './third-party-clients.ts';

/** Few are kept warm, because every stop of workers or of a host kills those too. */
const WORKERS = { WORKERS_MAX: '8', WORKERS_WARM: '2', QUEUE_TIMEOUT: '60s' };

let hosts: TestHosts;
let source: Source;
beforeAll(async () => {
  hosts = await startHosts(WORKERS);
  source = { url: hosts.url, credential: basicOf(hosts.ann), python: new PythonClients() };
  // The first queries open connections and workers. A busy machine may reject one of them, which is not tested here.
  const isServed = async () => {
    const { status } = await post(`${hosts.url}/query`, { sql: 'SELECT 1' }, source.credential);
    return status === 200 ? true : undefined;
  };
  await until(isServed, { what: 'a first response', withinMs: 30_000 });
}, 120_000);
afterAll(async () => {
  source?.python[Symbol.dispose]();
  await hosts?.[Symbol.asyncDispose]();
});

const ROWS = CUT.rows.map((row, index) => [row, index] as const);
const FAILING = Object.entries<Stop>(STOPS).filter(([, { readBy }]) => readBy !== undefined);
/** More rows than a paused reader receives. */
const FAR_AWAY = 1_000_000_000;

const cancel = (id: string): Promise<unknown> =>
  send(`${hosts.url}/query/${id}`, { method: 'DELETE', headers: { ...source.credential } });
const killWorkers = (): void => {
  for (const pid of hosts.stream.context.workers.pids) process.kill(pid, 'SIGKILL');
};

describe('a complete result', () => {
  it.each(FORMATS)('ends without an error for curl, fetch and Python in %s', async (format) => {
    const sql = countTo(100_000);
    const reads = await Promise.all(byAll(format).map((reader) => read(reader, sql, source)));
    for (const { client, status, failure, text } of reads) {
      expect([client, status, failure]).toEqual([client, 200, undefined]);
      expect(text).toMatch(/99999\n$|\{"n":99999\}\n\]\}$|\{"n":99999\}\n$|\n\ndata: \{"type":"complete"\}\n\n$/);
    }
  });
});

describe.each(FAILING)('%s', (_name, { sql, cut, readBy }) => {
  describe.each(CUT.rows)('in row %i', (row) => {
    it.each(FORMATS)('is reported in %s, or fails the transfer', async (format) => {
      if (readBy === 'clients') {
        await expectCut(await Promise.all(byAll(format).map((reader) => read(reader, sql(row), source))), cut(row));
        return;
      }
      const transfer = await readByNode(format, sql(row), source);
      await expectCut([transfer], cut(row));
      const { credential } = source;
      const receipt = await finalReceipt(hosts.url, transfer.queryId, { credential, withinMs: 2000 });
      expect(receipt).toMatchObject({ error: { code: cut(row).code } });
    });
  });
});

describe('a cancelled query', () => {
  const { cut } = STOPS.cancel;

  it.each(ROWS)('in row %i reports it or fails the transfer', async (row, index) => {
    await expectCut(await stopIn({ readers: byTurns(index), row, source, stop: cancel }), cut(row));
  });

  it.each(FORMATS)('reports it in %s, or fails the transfer, for curl, fetch and Python', async (format) => {
    const row = CUT.farRow;
    await expectCut(await stopIn({ readers: byAll(format), row, source, stop: cancel }), cut(row));
  });

  it('between rows, while its client pauses, reports it or fails the transfer', async () => {
    await expectCut(await stopPausedReaders(source, cancel), cut(FAR_AWAY));
  });
});

describe('a query whose worker is killed', () => {
  const { cut } = STOPS['killed worker'];

  it.each(ROWS)(
    'in row %i reports it or fails the transfer',
    async (row, index) => {
      await expectCut(await stopIn({ readers: byTurns(index), row, source, stop: killWorkers }), cut(row));
    },
    60_000,
  );

  it('between rows, while its client pauses, reports it or fails the transfer', async () => {
    await expectCut(await stopPausedReaders(source, killWorkers), cut(FAR_AWAY));
  });
});

describe('a query whose host is killed', () => {
  const startHost = async () => {
    const { child, url } = await startChildHost(hosts, WORKERS);
    return { own: { ...source, url }, kill: (): boolean => child.kill('SIGKILL') };
  };
  const expectCutOff = (reads: readonly Read[]): void => {
    for (const { client, format, failure, text } of reads) {
      expect([client, format, failure]).toEqual([client, format, expect.stringMatching(FAILURES)]);
      expect(text).not.toMatch(/"type":"(?:complete|error)"|"error":/);
      expect(() => JSON.parse(text)).toThrow();
    }
  };

  it.each(ROWS)(
    'in row %i looks complete in no format',
    async (row, index) => {
      const { own, kill } = await startHost();
      expectCutOff(await stopIn({ readers: byTurns(index), row, source: own, stop: kill }));
    },
    60_000,
  );

  it('between rows, while its client pauses, looks complete in no format', async () => {
    const { own, kill } = await startHost();
    expectCutOff(await stopPausedReaders(own, kill));
  }, 120_000);
});
