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
  for (const { id, tenant = 't', account = 'ann', slow, isStopped = false } of readers) {
    running.add({
      queryId: id,
      tenantId: tenant,
      accountId: account,
      pace: { sample: () => void samples++, slowBytesPerSecond: slow } as unknown as ReaderPace,
      isStopped,
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
    expect(stoppedOf([{ ...slowest, isStopped: true }, slow], [{}])).toEqual(['slow']);
  });

  it('stops a query of another tenant only if any free slot helps', () => {
    expect(stoppedOf([slowest], [{ tenant: 'other' }])).toEqual([]);
    expect(stoppedOf([slowest], [{ tenant: 'other', account: 'ann', isHelpedByAny: true }])).toEqual(['slowest']);
  });
});
