import type { EngineProgress } from '@sluice/engine';
import type { RunningQuery } from '../../queries/running-queries.ts';

/** Stores the progress that an engine reports, for lists, receipts and progress events. */
export function noteProgress(live: RunningQuery, { isQueued, splitsDone, splitsTotal }: EngineProgress): void {
  live.state = isQueued ? 'QUEUED' : 'RUNNING';
  live.splitsDone = splitsDone;
  live.splitsTotal = splitsTotal;
}
