import { ProblemError } from '@sluice/contract';
import type { Admission } from '@sluice/query-worker';
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
 * request of another account to which the freed slot is useful. Call it several times within the window of the pace.
 */
export function createStopSlowReaders({ running, admission }: StopSlowReadersDependencies): () => void {
  return () => {
    const now = performance.now();
    for (const query of running.all()) query.pace?.sample(now);
    const slow = running
      .all()
      .filter((query) => paceOf(query) !== undefined)
      .sort((one, other) => (paceOf(one) ?? 0) - (paceOf(other) ?? 0));
    if (slow.length === 0) return;
    for (const { tenantId, accountId, isHelpedByAny } of admission.blockedRequests()) {
      const index = slow.findIndex(
        (query) =>
          (query.tenantId === tenantId || isHelpedByAny) &&
          !(query.tenantId === tenantId && query.accountId === accountId),
      );
      if (index !== -1) slow.splice(index, 1)[0]?.stop(tooSlow());
    }
  };
}

const paceOf = ({ pace, isStopped }: RunningQuery): number | undefined =>
  isStopped ? undefined : pace?.slowBytesPerSecond;
