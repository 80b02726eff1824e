/** What a job is about: names of rows, never the rows themselves, so that a job that waited long acts on what is there by then. */
export type JobData = Readonly<Record<string, string>>;

/**
 * Works on one job. It may be called again with the same data, by another host too, when a host dies or the handler throws: what
 * must not happen twice is the handler's own to see to. `signal` aborts when the host stops; it then throws, and the job waits
 * for another host.
 */
export type JobHandler = (data: JobData, signal: AbortSignal) => Promise<void>;

export interface NewJob {
  readonly name: string;
  /** No number. As long as a job of this id waits or runs, adding it again changes nothing. */
  readonly id: string;
  readonly data: JobData;
}

/** Jobs that any host of a deployment adds, and any host works on. */
export interface JobQueue extends AsyncDisposable {
  /** Rejects with `service_unavailable` within about a second when the back end does not take it. */
  add(job: NewJob): Promise<void>;
  /** Aborts the jobs that run here and waits for their handlers, but not for long. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface JobQueueOptions {
  /** By name of the job. */
  readonly handlers: Readonly<Record<string, JobHandler>>;
  /** Jobs that this host works on at once. */
  readonly concurrency: number;
  /** Told in a sentence what went wrong; what repeats itself is told once. */
  readonly onTrouble: (message: string, cause?: unknown) => void;
  readonly timeouts?: Partial<JobTimeouts>;
}

/** How long things may take. Shorter in tests. */
export interface JobTimeouts {
  /** Adding a job. */
  readonly addMs: number;
  /** A host that has not said for so long that it still works on a job is dead, and another takes the job. */
  readonly lockMs: number;
  /** How often others look for jobs of dead hosts. */
  readonly stalledMs: number;
  /** Before a job whose handler threw is tried again; doubled each time. */
  readonly retryMs: number;
  /** A host that stops waits so long for its handlers. */
  readonly stopMs: number;
}

export const JOB_TIMEOUTS: JobTimeouts = {
  addMs: 1_000,
  lockMs: 30_000,
  stalledMs: 15_000,
  retryMs: 1_000,
  stopMs: 5_000,
};
