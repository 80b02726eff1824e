import type { SentEvent } from '@sluice/engine';
import type { OnProgress, OnStored, QueryJob, ReadStored } from '../protocol/query-job.ts';
import type { WorkerRequester } from './admission/requester.ts';

/** A worker that the caller holds until it disposes of the lease. It runs one job at a time. */
export interface WorkerLease extends Disposable {
  /**
   * Yields the events of the engine contract. `onProgress` is called while events are awaited, for engines that report progress, and
   * `onStored` with the parts of the result of a job that is kept. `readStored` returns the bytes of a job that renders a kept result; the
   * iterator throws what it throws.
   */
  run(
    job: QueryJob,
    signal: AbortSignal,
    onProgress?: OnProgress,
    onStored?: OnStored,
    readStored?: ReadStored,
  ): AsyncIterable<SentEvent>;
}

/** Grants query workers. */
export interface WorkerSource {
  /**
   * Waits in the queue for a worker. Throws `too_many_requests` when the queue is full or the wait too long, `service_unavailable`
   * when the shared limits are unavailable for more than a moment, `engine_unavailable` when workers do not start, and the signal's
   * reason when it aborts.
   */
  acquire(requester: WorkerRequester, signal: AbortSignal): Promise<WorkerLease>;
}
