import { ProblemError } from '@sluice/contract';
import type { WaitingQueryStore } from '@sluice/store/queries';
import type { RunningQueries } from '../../queries/running-queries.ts';
import type { WaitingQueries } from '../../queries/waiting-queries.ts';

interface AnnounceWaitingQueriesDependencies {
  readonly hostId: string;
  readonly waiting: WaitingQueries;
  readonly running: RunningQueries;
  readonly waitingQueries: Pick<WaitingQueryStore, 'update'>;
}

/** Most waits are shorter and so cause no load on the database. */
const ANNOUNCE_AFTER_MS = 300;

/**
 * Creates the periodic work that publishes the waiting queries of this host to the other hosts and applies cancels from there. A
 * query that acquired a worker meanwhile is stopped like a running one.
 */
export function createAnnounceWaitingQueries(dependencies: AnnounceWaitingQueriesDependencies): () => Promise<void> {
  const { hostId, waiting, running, waitingQueries } = dependencies;
  /** `written` has the queries with a confirmed row, `sent` also those whose confirmation may have been lost. */
  const written = new Set<string>();
  const sent = new Set<string>();
  return async () => {
    const before = Date.now() - ANNOUNCE_AFTER_MS;
    const current = waiting.all();
    const ids = new Set(current.map(({ queryId }) => queryId));
    const added = current.filter(({ queryId, sinceMs }) => sinceMs <= before && !written.has(queryId));
    const removed = [...sent].filter((id) => !ids.has(id));
    if (added.length + sent.size === 0) return;
    for (const { queryId } of added) sent.add(queryId);
    const cancelled = await waitingQueries.update({ hostId, added, removed });
    for (const { queryId } of added) written.add(queryId);
    for (const id of removed) {
      written.delete(id);
      sent.delete(id);
    }
    for (const { queryId: id, byAdmin, killMessage } of cancelled) {
      const reason = byAdmin ? cancelledByAdmin() : cancelledByCaller(killMessage ?? undefined);
      current.find(({ queryId }) => queryId === id)?.cancel(reason);
      running.find(id)?.stop(reason);
    }
  };
}

/** `killMessage` is set if a client of Trino killed the query with CALL kill_query, and empty without a message. */
export function cancelledByCaller(killMessage?: string): ProblemError {
  if (killMessage === undefined) return new ProblemError('query_cancelled', 'The query was cancelled by its caller.');
  const message = killMessage === '' ? 'None.' : killMessage;
  return new ProblemError('query_cancelled', `The query was killed by its caller. Message: ${message}`, {
    engineError: { name: 'ADMINISTRATIVELY_KILLED', code: 38, type: 'USER_ERROR' },
  });
}

export const cancelledByAdmin = (): ProblemError =>
  new ProblemError('query_cancelled', 'The query was cancelled by an admin of its tenant.');
