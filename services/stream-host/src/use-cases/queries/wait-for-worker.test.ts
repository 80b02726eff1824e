import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import type { WorkerLease } from '@sluice/query-worker';
import { buildCaller } from '@sluice/testkit';
import { WaitingQueries } from '../../queries/waiting-queries.ts';
import type { QueryRequest } from './query-input.ts';
import { waitForWorker } from './wait-for-worker.ts';

const request = { caller: buildCaller('ann'), action: 'RUN_QUERY', sql: 'SELECT 1' } as QueryRequest;
const reason = new ProblemError('query_cancelled', 'Cancelled.');
const LEASE = {} as WorkerLease;

/** Starts a wait that `end` ends. */
function fixture() {
  const waiting = new WaitingQueries();
  const stop = new AbortController();
  let resolve: (lease: WorkerLease) => void = () => undefined;
  let reject: (thrown: unknown) => void = () => undefined;
  const acquired = new Promise<WorkerLease>((...settle) => {
    [resolve, reject] = settle;
  });
  const requesters: unknown[] = [];
  const lease = waitForWorker(
    {
      admission: {
        acquire: (requester, signal) => {
          requesters.push(requester);
          signal.addEventListener('abort', () => reject(signal.reason));
          return acquired;
        },
      },
      waiting,
      limitDefaults: { queriesPerUser: 3, queriesPerTenant: 9, queryTimeLimitMs: 1_000 } as never,
    },
    { queryId: 'q', request, engineKey: 'e', stop },
  );
  return { lease, waiting, stop, requesters, resolve, reject };
}

describe('a query that waits for a worker', () => {
  it('is listed while it waits, with the limits of its account', async () => {
    const { lease, waiting, requesters, resolve } = fixture();
    expect(waiting.find('t', 'q')).toMatchObject({ accountId: 'ann', accountKind: 'user', sql: 'SELECT 1' });
    expect(requesters).toEqual([
      { tenantId: 't', accountId: 'ann', engineKey: 'e', queriesPerUser: 3, queriesPerTenant: 9 },
    ]);
    resolve(LEASE);
    expect(await lease).toBe(LEASE);
    expect(waiting.all()).toHaveLength(1);
  });

  it('that is cancelled gets a lease that runs nothing and fails with the reason', async () => {
    const { lease, waiting, stop } = fixture();
    waiting.find('t', 'q')?.cancel(reason);
    const events = (await lease).run({} as never, stop.signal)[Symbol.asyncIterator]();
    await expect(events.next()).rejects.toBe(reason);
    expect(waiting.all()).toHaveLength(1);
  });

  it.each(['whose client disconnects', 'that is not admitted'])('%s is not listed any more', async (how) => {
    const { lease, waiting, stop, reject } = fixture();
    if (how === 'that is not admitted') reject(reason);
    else stop.abort(reason);
    await expect(lease).rejects.toBe(reason);
    expect(waiting.all()).toEqual([]);
  });

  it('that is cancelled after its client disconnected fails as that', async () => {
    const { lease, waiting, stop } = fixture();
    stop.abort(reason);
    waiting.find('t', 'q')?.cancel(new ProblemError('query_cancelled', 'Later.'));
    await expect(lease).rejects.toBe(reason);
  });
});
