/** Data of a job: ids of rows, never the rows themselves, so that a job that waited acts on their current state. */
export type JobData = Readonly<Record<string, string>>;

/**
 * Handles one job. It may be called again with the same data, on another host too, when a host dies or the handler throws, so it
 * must be idempotent. `signal` aborts when the host stops; the handler then throws, and the job waits for another host.
 */
export type JobHandler = (data: JobData, signal: AbortSignal) => Promise<void>;

export interface NewJob {
  readonly name: string;
  /** Must not be a number. While a job with this id waits or runs, adding it again has no effect. */
  readonly id: string;
  readonly data: JobData;
}

/** Queue of jobs that any host of a deployment adds and handles. */
export interface JobQueue extends AsyncDisposable {
  /** Adds a job. Rejects with `service_unavailable` after about a second when the back end does not accept it. */
  add(job: NewJob): Promise<void>;
  /** Aborts the jobs that run on this host and waits for their handlers, at most `JobTimeouts.stopMs`. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface JobQueueOptions {
  /** Name of the queue. Queues of different names share nothing. Default `sluice`. */
  readonly queue?: string;
  /** Handlers by job name. */
  readonly handlers: Readonly<Record<string, JobHandler>>;
  /** Maximum number of jobs that this host handles at once. */
  readonly concurrency: number;
  /** Receives a sentence about each failure. A repeated one is reported once. */
  readonly onWarning: (message: string, cause?: unknown) => void;
  readonly timeouts?: Partial<JobTimeouts>;
}

/** Timeouts and intervals of a job queue; tests use shorter ones. */
export interface JobTimeouts {
  /** Time limit for adding a job. */
  readonly addMs: number;
  /** A host that does not renew its lock on a job for this long counts as dead, and another host takes the job. */
  readonly lockMs: number;
  /** Interval of the search for jobs of dead hosts. */
  readonly stalledMs: number;
  /** Delay before a failed job is retried; doubled for each attempt. */
  readonly retryMs: number;
  /** Time that a stopping host waits for its handlers. */
  readonly stopMs: number;
}

export const JOB_TIMEOUTS: JobTimeouts = {
  addMs: 1_000,
  lockMs: 30_000,
  stalledMs: 15_000,
  retryMs: 1_000,
  stopMs: 5_000,
};
