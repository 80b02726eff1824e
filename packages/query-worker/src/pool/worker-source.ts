import type { ResultEvent } from '@sluice/engine';
import type { OnProgress, QueryJob } from '../protocol/query-job.ts';
import type { WorkerRequester } from './admission/requester.ts';

/** A worker that is yours until you dispose of the lease. It runs one job after the other, not several at once. */
export interface WorkerLease extends Disposable {
  /** Events as the engine contract says; `onProgress` receives the progress of engines that report it, while events are awaited. */
  run(job: QueryJob, signal: AbortSignal, onProgress?: OnProgress): AsyncIterable<ResultEvent>;
}

/** Grants query workers. */
export interface WorkerSource {
  /**
   * Waits for a worker in turn. Throws `too_many_requests` when the queue is full or the wait too long, `service_unavailable` when
   * the limits that all hosts share cannot be asked for longer than a moment, `engine_unavailable` when workers do not start, and
   * the signal's reason when it aborts.
   */
  acquire(requester: WorkerRequester, signal: AbortSignal): Promise<WorkerLease>;
}
