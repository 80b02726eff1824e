import type { ResultEvent } from '@sluice/engine';
import type { OnProgress, QueryJob } from './query-job.ts';

/** A worker that is yours until you dispose of the lease. It runs one job after the other, not several at once. */
export interface WorkerLease extends Disposable {
  /** Events as the engine contract says; `onProgress` hears of the progress of engines that tell of it, while events are awaited. */
  run(job: QueryJob, signal: AbortSignal, onProgress?: OnProgress): AsyncIterable<ResultEvent>;
}

/** Where query workers come from. */
export interface WorkerSource {
  /**
   * Waits for a worker that may serve this engine. Throws `too_many_requests` when none is free in time, and the signal's
   * reason when it aborts. An account that has workers already comes after those that have fewer, and leaves the last idle one
   * to others as long as more can be started; one that it spoilt counts until it is replaced.
   */
  acquire(engineKey: string, signal: AbortSignal, accountId?: string): Promise<WorkerLease>;
}
