import type { BackendFactory, IQueueBackend, Job, JobProgress } from 'bullmq';
import { Queue, Worker } from 'bullmq';
import type { JobData, JobTimeouts } from './job-queue.ts';

/** Connections of one queue and one worker to a back end. Adding must fail fast; a worker may wait forever. */
export interface JobBackend<C> extends AsyncDisposable {
  readonly adding: C;
  readonly working: C;
  readonly factory: BackendFactory<IQueueBackend, C>;
  /** Prefix of every key, for Redis only. */
  readonly prefix?: string;
}

export interface BullMqEndpointOptions {
  readonly queue?: string | undefined;
  readonly timeouts: JobTimeouts;
  readonly concurrency: number;
  readonly work: (job: Job<JobData, void>) => Promise<void>;
  /** Called with a message when the back end fails, and without one when it works again. */
  readonly report: (message: string | undefined, cause?: unknown) => void;
  readonly onDropped: (job: Job<JobData, void>, cause: unknown) => void;
}

const QUEUE_DEFAULT = 'sluice';
/** A job is dropped after this many failed attempts: with exponential backoff, after about ten minutes. */
export const ATTEMPTS_MAX = 10;
/** A job is dropped after this many hosts have died during it, since it may be what kills them. */
const HOSTS_LOST_MAX = 5;

/** A BullMQ queue and a BullMQ worker on the same back end. */
export class BullMqEndpoint<C> {
  readonly queue: Queue<JobData, void, string, JobData, void, string, IQueueBackend, C>;
  readonly #worker: Worker<JobData, void, string, IQueueBackend, JobProgress, C>;
  readonly #backend: JobBackend<C>;
  readonly #report: BullMqEndpointOptions['report'];

  constructor(backend: JobBackend<C>, options: BullMqEndpointOptions) {
    const { queue = QUEUE_DEFAULT, timeouts, concurrency, work, report, onDropped } = options;
    const shared = backend.prefix === undefined ? {} : { prefix: backend.prefix };
    this.#backend = backend;
    this.#report = report;
    this.queue = new Queue(queue, { ...shared, connection: backend.adding }, backend.factory);
    this.#worker = new Worker(
      queue,
      work,
      {
        ...shared,
        autorun: false, // see start()
        lockDuration: timeouts.lockMs,
        stalledInterval: timeouts.stalledMs,
        runRetryDelay: 1_000,
        connection: backend.working,
        concurrency,
        maxStalledCount: HOSTS_LOST_MAX,
      },
      backend.factory,
    );
    // Without a listener a lost connection would end the process.
    this.queue.on('error', (cause) => report('The job queue is unavailable.', cause));
    this.#worker.on('error', (cause) => report('Jobs cannot be fetched.', cause));
    this.#worker.on('ready', () => report(undefined));
    this.#worker.on('failed', (job, cause) => {
      if (job !== undefined && job.attemptsMade >= ATTEMPTS_MAX) onDropped(job, cause);
    });
  }

  /**
   * Starts the worker once the back end is ready. Rejects when it is not, and then this endpoint cannot be used any more: BullMQ's
   * PostgreSQL back end remembers a first failure forever, and a worker that runs on it retries without yielding to the event loop
   * (6.7.0, measured: the process stops responding).
   */
  async start(): Promise<void> {
    await Promise.all([this.queue.waitUntilReady(), this.#worker.waitUntilReady()]);
    this.#report(undefined);
    this.#worker.run().catch((cause) => this.#report('Jobs cannot be fetched.', cause));
  }

  /** Stops fetching jobs and waits for the running ones. */
  drain(): Promise<unknown> {
    return this.#worker.close();
  }

  /** Closes the worker and the queue without waiting for running jobs. */
  close(): Promise<unknown> {
    return Promise.all([this.#worker.close(true), this.queue.close()]);
  }

  /** Disconnects connections that could not be closed in order; they would reconnect forever. */
  disconnect(): Promise<unknown> {
    return Promise.all([this.#worker.disconnect(), this.queue.disconnect()]);
  }

  /** Disposes of the connections that were passed to BullMQ, which it does not close itself. */
  async dispose(): Promise<void> {
    await this.#backend[Symbol.asyncDispose]();
  }
}
