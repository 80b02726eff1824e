import { describe, expect, it } from '@jest/globals';
import type { ReaderPace } from '../../queries/reader-pace.ts';
import { RunningQueries } from '../../queries/running-queries.ts';
import { createStopSlowReaders } from './stop-slow-readers.ts';

interface Reader {
  readonly id: string;
  readonly tenant?: string;
  readonly account?: string;
  /** Undefined for a reader that is fast enough. */
  readonly slow?: number;
  readonly isStopped?: boolean;
  readonly holdsWorker?: boolean;
}

interface Blocked {
  readonly tenant?: string;
  readonly account?: string;
  readonly isHelpedByAny?: boolean;
}

/** Returns the ids of the stopped queries, in the order of the stops. */
function stoppedOf(readers: readonly Reader[], blocked: readonly Blocked[]) {
  const stopped: string[] = [];
  let samples = 0;
  const running = new RunningQueries();
  for (const { id, tenant = 't', account = 'ann', slow, isStopped = false, holdsWorker = true } of readers) {
    running.add({
      queryId: id,
      tenantId: tenant,
      address: '192.0.2.1',
      accountId: account,
      pace: { sample: () => void samples++, slowBytesPerSecond: slow } as unknown as ReaderPace,
      isStopped,
      holdsWorker,
      state: 'RUNNING',
      rows: 0,
      bytes: 0,
      splitsDone: null,
      splitsTotal: null,
      stop: ({ code }) => void stopped.push(`${id} ${code}`),
    });
  }
  const blockedRequests = () =>
    blocked.map(({ tenant = 't', account = 'bob', isHelpedByAny = false }) => ({
      tenantId: tenant,
      accountId: account,
      isHelpedByAny,
    }));
  createStopSlowReaders({ running, admission: { blockedRequests } })();
  expect(samples).toBe(readers.length);
  return stopped.map((text) => text.replace(' reader_too_slow', ''));
}

describe('stopSlowReaders', () => {
  const slowest = { id: 'slowest', slow: 1 };
  const slow = { id: 'slow', slow: 9 };
  const fast = { id: 'fast' };

  it('stops the slowest reader first, one for each waiting request', () => {
    expect(stoppedOf([slow, fast, slowest], [{}])).toEqual(['slowest']);
    expect(stoppedOf([slow, fast, slowest], [{}, {}, {}])).toEqual(['slowest', 'slow']);
  });

  it('stops nothing while no request waits', () => {
    expect(stoppedOf([slow, slowest], [])).toEqual([]);
  });

  it('stops no query of the account that waits, and none that is stopped already', () => {
    expect(stoppedOf([slowest, { ...slow, account: 'bob' }], [{ account: 'ann' }])).toEqual(['slow']);
    const transferring = { ...slowest, isStopped: true, holdsWorker: false };
    expect(stoppedOf([transferring, slow], [{}])).toEqual(['slow']);
  });

  it('stops no reader for a request that gets the worker of a query that is stopping', () => {
    const stopping = { ...slowest, isStopped: true };
    expect(stoppedOf([stopping, slow], [{}])).toEqual([]);
    expect(stoppedOf([stopping, slow], [{}, {}])).toEqual(['slow']);
    expect(stoppedOf([{ ...stopping, account: 'bob' }, slow], [{}])).toEqual(['slow']);
    expect(stoppedOf([{ ...stopping, tenant: 'other' }, slow], [{}])).toEqual(['slow']);
  });

  it('stops a query of another tenant only if any free slot helps', () => {
    expect(stoppedOf([slowest], [{ tenant: 'other' }])).toEqual([]);
    expect(stoppedOf([slowest], [{ tenant: 'other', account: 'ann', isHelpedByAny: true }])).toEqual(['slowest']);
  });
});
