import type { HarvestReason, HarvestRunStore } from '@sluice/store/catalog';
import type { EnqueueHarvest } from './start-harvest.ts';

interface StartDueHarvestsDependencies {
  readonly harvestRuns: Pick<HarvestRunStore, 'findWaiting' | 'requestDue'>;
  readonly enqueue: EnqueueHarvest;
  readonly harvestEveryMs: number;
}

/** Hosts that start together request one run: a run requested within this time counts as theirs. */
const START_GAP_MS = 30_000;

/**
 * Requests the runs that are due: the first call as at a start of the host, later calls on schedule. Also enqueues every waiting run,
 * because the queue may have lost it or its host may have died.
 */
export function createStartDueHarvests({ harvestRuns, enqueue, harvestEveryMs }: StartDueHarvestsDependencies) {
  let reason: HarvestReason = 'start';
  return async (): Promise<void> => {
    const olderThanMs = reason === 'start' ? Math.min(START_GAP_MS, harvestEveryMs) : harvestEveryMs;
    await harvestRuns.requestDue({ reason, olderThanMs });
    reason = 'schedule';
    for (const run of await harvestRuns.findWaiting()) await enqueue(run);
  };
}
