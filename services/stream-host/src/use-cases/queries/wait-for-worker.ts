import { effectiveLimits, type LimitDefaults } from '@sluice/contract';
import type { WorkerLease, WorkerSource } from '@sluice/query-worker';
import type { WaitingQueries } from '../../queries/waiting-queries.ts';
import type { QueryRequest } from './query-input.ts';

interface WaitForWorkerDependencies {
  readonly admission: WorkerSource;
  readonly waiting: WaitingQueries;
  readonly limitDefaults: LimitDefaults;
}

interface WorkerWait {
  readonly queryId: string;
  readonly request: QueryRequest;
  readonly engineKey: string;
  /** Stops the query while it waits and while it runs. */
  readonly stop: AbortController;
}

/**
 * Waits for a worker. Meanwhile the query is listed and can be cancelled. It stays registered as waiting until the caller of this
 * function removes it, so that no cancel is lost between the wait and the run. A cancelled query gets a lease that runs nothing:
 * it is recorded and ends like a query that is cancelled before its first row. Throws what `acquire` throws.
 */
export async function waitForWorker(
  { admission, waiting, limitDefaults }: WaitForWorkerDependencies,
  { queryId, request, engineKey, stop }: WorkerWait,
): Promise<WorkerLease> {
  const { id: accountId, kind: accountKind, name: userName, tenant } = request.caller.principal;
  const { queriesPerUser, queriesPerTenant } = effectiveLimits(tenant.settings, limitDefaults);
  let isCancelled = false;
  waiting.add({
    queryId,
    tenantId: tenant.id,
    accountId,
    accountKind,
    userName,
    action: request.action,
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
