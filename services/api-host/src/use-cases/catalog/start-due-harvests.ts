import type { HarvestReason, HarvestRunStore } from '@sluice/store/catalog';
import type { EnqueueHarvest } from './enqueue-harvest.ts';

interface StartDueHarvestsDependencies {
  readonly harvestRuns: Pick<HarvestRunStore, 'findWaiting' | 'requestDue'>;
  readonly enqueue: EnqueueHarvest;
  readonly harvestEveryMs: number;
  /** Views of files, which change while the host runs. */
  readonly files?: HarvestedFiles | undefined;
}

interface HarvestedFiles {
  readonly tenantName: string;
  /** Returns another value when the views have changed. */
  revision(): string;
}

/** Hosts that start together request one run: a run requested within this time counts as theirs. */
const START_GAP_MS = 30_000;

/**
 * Requests the runs that are due: the first call as at a start of the host, later calls on schedule, and when the views of files have
 * changed. Also enqueues every waiting run, because the queue may have lost it or its host may have died.
 */
export function createStartDueHarvests({ harvestRuns, enqueue, harvestEveryMs, files }: StartDueHarvestsDependencies) {
  let reason: HarvestReason = 'start';
  let harvestedRevision: string | undefined;
  return async (): Promise<void> => {
    const revision = files?.revision();
    const olderThanMs = reason === 'start' ? Math.min(START_GAP_MS, harvestEveryMs) : harvestEveryMs;
    const requested = await harvestRuns.requestDue({ reason, olderThanMs });
    if (reason === 'start' && requested.length > 0) harvestedRevision = revision;
    reason = 'schedule';
    if (files !== undefined && harvestedRevision !== revision) {
      // None is created while a run is open, which may have read the views before: then the next call creates one.
      const own = await harvestRuns.requestDue({ reason, olderThanMs: 0, tenantName: files.tenantName });
      if (own.length > 0) harvestedRevision = revision;
    }
    for (const run of await harvestRuns.findWaiting()) await enqueue(run);
  };
}
