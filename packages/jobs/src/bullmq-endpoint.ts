import type { BackendFactory, IQueueBackend, Job, JobProgress } from 'bullmq';
import { Queue, Worker } from 'bullmq';
import type { JobData, JobTimeouts } from './job-queue.ts';

/** How one queue and one worker reach a back end. Those who add must not wait; those who work may wait for ever. */
export interface JobBackend<C> extends AsyncDisposable {
  readonly adding: C;
  readonly working: C;
  readonly factory: BackendFactory<IQueueBackend, C>;
  /** Of every key; only Redis has one. */
  readonly prefix?: string;
}

export interface BullMqEndpointOptions {
  readonly timeouts: JobTimeouts;
  readonly concurrency: number;
  readonly work: (job: Job<JobData, void>) => Promise<void>;
  /** What cannot be done; without words when it can be done again. */
  readonly report: (message: string | undefined, cause?: unknown) => void;
  readonly onDropped: (job: Job<JobData, void>, cause: unknown) => void;
}

const QUEUE = 'sluice';
/** A job that failed so often is dropped; with the doubling, about ten minutes. */
export const ATTEMPTS_MAX = 10;
/** A job may lose as many hosts; one that kills them all must not go round for ever. */
const HOSTS_LOST_MAX = 5;

/** One queue and one worker of BullMQ. */
export class BullMqEndpoint<C> {
  readonly queue: Queue<JobData, void, string, JobData, void, string, IQueueBackend, C>;
  readonly #worker: Worker<JobData, void, string, IQueueBackend, JobProgress, C>;
  readonly #backend: JobBackend<C>;
  readonly #report: BullMqEndpointOptions['report'];

  constructor(backend: JobBackend<C>, { timeouts, concurrency, work, report, onDropped }: BullMqEndpointOptions) {
    const shared = backend.prefix === undefined ? {} : { prefix: backend.prefix };
    this.#backend = backend;
    this.#report = report;
    this.queue = new Queue(QUEUE, { ...shared, connection: backend.adding }, backend.factory);
    this.#worker = new Worker(
      QUEUE,
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
    this.queue.on('error', (cause) => report('The queue of jobs cannot be reached.', cause));
    this.#worker.on('error', (cause) => report('Jobs cannot be fetched.', cause));
    this.#worker.on('ready', () => report(undefined));
    this.#worker.on('failed', (job, cause) => {
      if (job !== undefined && job.attemptsMade >= ATTEMPTS_MAX) onDropped(job, cause);
    });
  }

  /**
   * Begins to work once the back end has answered; rejects when it does not, and then this host is good for nothing. BullMQ's
   * PostgreSQL back end remembers a first failure for ever, and a worker that runs on one asks and fails without ever giving the
   * event loop a turn (6.7.0, measured: the process answers nobody any more).
   */
  async start(): Promise<void> {
    await Promise.all([this.queue.waitUntilReady(), this.#worker.waitUntilReady()]);
    this.#report(undefined);
    this.#worker.run().catch((cause) => this.#report('Jobs cannot be fetched.', cause));
  }

  /** Waits for what runs. */
  drain(): Promise<unknown> {
    return this.#worker.close();
  }

  /** Waits for nothing that runs. */
  close(): Promise<unknown> {
    return Promise.all([this.#worker.close(true), this.queue.close()]);
  }

  /** Ends connections whose goodbye nobody answers; they would try to come back for ever. */
  disconnect(): Promise<unknown> {
    return Promise.all([this.#worker.disconnect(), this.queue.disconnect()]);
  }

  /** Ends what BullMQ was given to connect by, and so did not close itself. */
  async dispose(): Promise<void> {
    await this.#backend[Symbol.asyncDispose]();
  }
}
