import type { ProblemError } from '@sluice/contract';
import type { WorkerLease } from '../worker-source.ts';

/** A worker process, as the queue uses it. */
export interface PooledWorker extends Pick<WorkerLease, 'run'> {
  readonly isAlive: boolean;
  /** Key of the open engine; undefined before the first statement. */
  readonly engineKey: string | undefined;
  /** Start of the last statement on the clock of `performance.now()`; -1 before the first one. */
  readonly lastRunMs: number;
  /** The process was killed from outside before it sent a frame of its last statement, which another worker can run from its start. */
  readonly wasLostBeforeFirstFrame: boolean;
}

/** Callbacks of the queue for the worker pool. */
export interface WorkersClient {
  /** A worker may have become ready. */
  onReady(): void;
  /** A worker has started. */
  onReplaced(): void;
  /** No worker is starting or ending. */
  onSettled(): void;
  /** Workers repeatedly failed to start. */
  onStartFailed(problem: unknown): void;
  onClose(problem: ProblemError): void;
  /** Returns the engines of the requests that lack only a worker, in grant order. */
  enginesWanted(): readonly string[];
}

/** Starts worker processes, hands them out to the queue, and recycles them. Requests do not wait here. */
export interface Workers {
  connect(client: WorkersClient): void;
  /** Acquires a ready worker that can serve this engine, until it is released. Returns undefined when there is none. */
  tryAcquire(engineKey: string): PooledWorker | undefined;
  /** Releases a worker. Returns whether it can serve another statement; otherwise it is killed. */
  release(worker: PooledWorker): boolean;
  /** Counts the ready workers that can serve this engine. */
  countReady(engineKey: string): number;
  /** Whether another worker is starting or can be started. */
  readonly canGrow: boolean;
  /** Number of workers that are starting, and how long one start takes. */
  readonly startingUp: { readonly count: number; readonly eachMs: number };
  /** Hands out ready workers and starts missing ones. */
  fill(): void;
}
