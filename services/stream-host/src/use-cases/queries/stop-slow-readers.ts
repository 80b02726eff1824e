import { ProblemError } from '@sluice/contract';
import type { Admission, BlockedRequest } from '@sluice/query-worker';
import type { RunningQueries, RunningQuery } from '../../queries/running-queries.ts';

interface StopSlowReadersDependencies {
  readonly running: RunningQueries;
  readonly admission: Pick<Admission, 'blockedRequests'>;
}

const tooSlow = (): ProblemError =>
  new ProblemError(
    'reader_too_slow',
    'The client read this result too slowly while other queries waited, so the query was stopped. The data that was sent is incomplete. Run the query again and read faster, or request less data.',
  );

/**
 * Creates the periodic work that samples the pace of all readers and stops slow ones, the slowest first: one for each waiting
 * request of another account to which the freed slot is useful. A query that was stopped before and still holds its worker serves
 * a request too: its slot is about to be free. Call it several times within the window of the pace.
 */
export function createStopSlowReaders({ running, admission }: StopSlowReadersDependencies): () => void {
  return () => {
    const now = performance.now();
    const queries = running.all();
    for (const query of queries) query.pace?.sample(now);
    const slow = queries
      .filter((query) => paceOf(query) !== undefined)
      .sort((one, other) => (paceOf(one) ?? 0) - (paceOf(other) ?? 0));
    if (slow.length === 0) return;
    const ending = queries.filter(({ isStopped, holdsWorker }) => isStopped && holdsWorker);
    for (const blocked of admission.blockedRequests()) {
      if (takeUseful(ending, blocked) === undefined) takeUseful(slow, blocked)?.stop(tooSlow());
    }
  };
}

/** Removes and returns the first query of another account whose slot the request can use. */
function takeUseful(
  queries: RunningQuery[],
  { tenantId, accountId, isHelpedByAny }: BlockedRequest,
): RunningQuery | undefined {
  const index = queries.findIndex(
    (query) =>
      (query.tenantId === tenantId || isHelpedByAny) && !(query.tenantId === tenantId && query.accountId === accountId),
  );
  return index === -1 ? undefined : queries.splice(index, 1)[0];
}

const paceOf = ({ pace, isStopped }: RunningQuery): number | undefined =>
  isStopped ? undefined : pace?.slowBytesPerSecond;
