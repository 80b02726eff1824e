import type { ProblemError } from '@sluice/contract';
import type { WorkerLease } from '../worker-source.ts';

/** A worker process as the queue sees it. */
export type PooledWorker = Pick<WorkerLease, 'run'>;

/** Interface of the queue to the worker pool. */
export interface WorkersClient {
  /** Workers may be ready. */
  onReady(): void;
  /** One more worker was started. */
  onReplaced(): void;
  /** No worker is starting or ending. */
  onSettled(): void;
  /** Workers fail to start. */
  onStartFailed(problem: unknown): void;
  onClose(problem: ProblemError): void;
  /** Engines of the requests that only lack a worker, in the order in which they should get one. */
  enginesWanted(): readonly string[];
}

/** Worker processes: started, handed out when the queue says so, recycled. Nothing waits here. */
export interface Workers {
  connect(client: WorkersClient): void;
  /** A ready worker that may serve this engine: it is the caller's until given back. */
  take(engineKey: string): PooledWorker | undefined;
  /** Returns whether the worker can serve another statement; otherwise it is ended. */
  giveBack(worker: PooledWorker): boolean;
  /** Ready workers that may serve this engine. */
  countReady(engineKey: string): number;
  /** Another worker is starting, or could be. */
  readonly canGrow: boolean;
  /** Workers that are starting, and how long one takes. */
  readonly startingUp: { readonly count: number; readonly eachMs: number };
  /** Hands out what is ready and starts what is missing. */
  fill(): void;
}
