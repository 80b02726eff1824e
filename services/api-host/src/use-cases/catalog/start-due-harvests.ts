import type { HarvestReason, HarvestReference, HarvestRunStore } from '@sluice/store/catalog';

export interface StartDueHarvestsDependencies {
  readonly harvestRuns: Pick<HarvestRunStore, 'findWaiting' | 'requestDue'>;
  readonly enqueue: (run: HarvestReference) => Promise<void>;
  readonly harvestEveryMs: number;
}

/** Hosts that start together ask once: what was asked for so lately counts as theirs. */
const START_GAP_MS = 30_000;

/**
 * Asks for the runs that are due, at the first call as at a start and later on schedule, and puts what waits into the queue:
 * those that it lost, and those of hosts that died.
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
