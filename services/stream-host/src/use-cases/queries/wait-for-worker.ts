import type { WorkerLease, WorkerSource } from '@sluice/query-worker';
import type { WaitingQueries } from '../../queries/waiting-queries.ts';
import type { QueryRequest } from './query-input.ts';

export interface WaitForWorkerDependencies {
  readonly admission: WorkerSource;
  readonly waiting: WaitingQueries;
}

export interface WorkerWait {
  readonly queryId: string;
  readonly request: QueryRequest;
  readonly engineKey: string;
  /** Stops the query, now and while it runs. */
  readonly stop: AbortController;
}

/**
 * Waits for a worker, while its caller can see the query and cancel it. The query stays among those that wait until the caller of this
 * function takes it out, so that no cancel is lost between the wait and the run. A query that was cancelled gets a lease that
 * runs nothing: it is recorded and ends like one that was cancelled before its first row. Throws what `acquire` throws.
 */
export async function waitForWorker(
  { admission, waiting }: WaitForWorkerDependencies,
  { queryId, request, engineKey, stop }: WorkerWait,
): Promise<WorkerLease> {
  const { id: accountId, kind: accountKind, tenant } = request.caller.principal;
  const { queriesPerUser, queriesPerTenant } = tenant.settings;
  let isCancelled = false;
  waiting.add({
    queryId,
    tenantId: tenant.id,
    accountId,
    accountKind,
    sql: request.sql,
    sinceMs: Date.now(),
    cancel: (reason) => {
      isCancelled = !stop.signal.aborted;
      stop.abort(reason);
    },
  });
  try {
    return await admission.acquire(
      { tenantId: tenant.id, accountId, engineKey, queriesPerUser, queriesPerTenant },
      stop.signal,
    );
  } catch (thrown) {
    if (isCancelled) return NO_WORKER;
    waiting.remove(queryId);
    throw thrown;
  }
}

const NO_WORKER: WorkerLease = {
  run: (_job, signal) => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(signal.reason) }),
  }),
  [Symbol.dispose]: () => undefined,
};
