import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allCases, send, until } from '@sluice/testkit';
import { startChildHost, type TestHosts } from '@sluice/testkit/hosts';
import { listOf } from '@sluice/testkit/requests';
import { CUT } from '@sluice/testkit/statements';
import { FORMATS } from './assert-cut.ts';
import { byAll, byTurns, expectCut, type Read, type Source, stopIn } from './read-transfers.ts';
import { startStoppableHosts, WORKERS } from './start-stoppable-hosts.ts';
import { stopPausedReaders } from './stop-paused-readers.ts';
import { STOPS } from './stops.ts';
import { FAILURES } from './third-party-clients.ts';

let stoppable: Awaited<ReturnType<typeof startStoppableHosts>>;
let hosts: TestHosts;
let source: Source;
beforeAll(async () => {
  stoppable = await startStoppableHosts();
  ({ hosts, source } = stoppable);
}, 120_000);
afterAll(async () => await stoppable?.[Symbol.asyncDispose]());

const ALL_ROWS = CUT.rows.map((row, index) => [row, index] as const);
/** The first row, a limit between two chunks, and the far row, at which rows have been sent. */
const ROWS = ALL_ROWS.filter(
  ([row], index) => allCases || index === 0 || index === Math.floor(ALL_ROWS.length / 2) || row === CUT.farRow,
);
/** A host is killed before its first row, and while its clients pause. */
const HOST_ROWS = allCases ? ALL_ROWS : ALL_ROWS.slice(0, 1);
/** More rows than a paused reader receives. */
const FAR_AWAY = 1_000_000_000;

const cancel = (id: string): Promise<unknown> =>
  send(`${hosts.url}/query/${id}`, { method: 'DELETE', headers: { ...source.credential } });
const killWorkers = (): void => {
  for (const pid of hosts.stream.context.workers.pids) process.kill(pid, 'SIGKILL');
};
/** Kills workers until the query has ended: one that has sent nothing yet runs once more on another worker. */
const killWorkersOf = (id: string): Promise<true> =>
  until(
    async () => {
      killWorkers();
      return (await listOf(source.url, source.credential)).some(({ query_id: one }) => one === id) ? undefined : true;
    },
    { what: `the end of the query ${id}` },
  );

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

  it.each(ROWS)('in row %i reports it or fails the transfer', async (row, index) => {
    await expectCut(await stopIn({ readers: byTurns(index), row, source, stop: killWorkersOf }), cut(row));
  });

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
      // Any whole line of NDJSON is JSON, so there the failed transfer alone says that it was cut.
      if (format !== 'ndjson') expect(() => JSON.parse(text)).toThrow();
    }
  };

  it.each(HOST_ROWS)('in row %i looks complete in no format', async (row, index) => {
    const { own, kill } = await startHost();
    expectCutOff(await stopIn({ readers: byTurns(index), row, source: own, stop: kill }));
  });

  it('between rows, while its client pauses, looks complete in no format', async () => {
    const { own, kill } = await startHost();
    expectCutOff(await stopPausedReaders(own, kill));
  }, 120_000);
});
