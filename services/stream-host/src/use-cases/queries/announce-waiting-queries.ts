import { ProblemError } from '@sluice/contract';
import type { WaitingQueryStore } from '@sluice/store/queries';
import type { RunningQueries } from '../../queries/running-queries.ts';
import type { WaitingQueries } from '../../queries/waiting-queries.ts';

export interface AnnounceWaitingQueriesDependencies {
  readonly hostId: string;
  readonly waiting: WaitingQueries;
  readonly running: RunningQueries;
  readonly waitingQueries: Pick<WaitingQueryStore, 'update'>;
}

/** Most waits are shorter, and cost the database nothing. */
const ANNOUNCE_AFTER_MS = 300;

/**
 * Creates the periodic work that shows the waiting queries of this host to the others, and cancels those that were cancelled there. A
 * query that got its worker meanwhile is stopped like one that runs.
 */
export function createAnnounceWaitingQueries(dependencies: AnnounceWaitingQueriesDependencies): () => Promise<void> {
  const { hostId, waiting, running, waitingQueries } = dependencies;
  /** Those whose rows are there, and those whose rows may be: an answer may be lost. */
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
    for (const id of cancelled) {
      current.find(({ queryId }) => queryId === id)?.cancel(cancelledByCaller());
      running.find(id)?.stop(cancelledByCaller());
    }
  };
}

export const cancelledByCaller = (): ProblemError =>
  new ProblemError('query_cancelled', 'The query was cancelled by its caller.');
