import { setTimeout as wait } from 'node:timers/promises';
import { ProblemError } from '@sluice/contract';
import type { BackendFactory, IQueueBackend, Job } from 'bullmq';
import { Queue, Worker } from 'bullmq';
import { JOB_PATIENCE, type JobData, type JobPatience, type JobQueue, type JobQueueOptions } from './job-queue.ts';

const QUEUE = 'sluice';
/** A job that failed so often is dropped; with the doubling, about ten minutes. */
const ATTEMPTS_MAX = 10;
/** A job may lose as many hosts; one that kills them all must not go round for ever. */
const HOSTS_LOST_MAX = 5;

/** How BullMQ reaches one kind of back end. Those who add must not wait; those who work may wait for ever. */
export interface JobBackend<C> extends AsyncDisposable {
  readonly adding: C;
  readonly working: C;
  readonly factory: BackendFactory<IQueueBackend, C>;
  /** Of every key; only Redis has one. */
  readonly prefix?: string;
}

/** A queue on whichever back end BullMQ has: the same code for all of them. */
export function openBullMqQueue<C>(backend: JobBackend<C>, options: JobQueueOptions): JobQueue {
  const patience = { ...JOB_PATIENCE, ...options.patience };
  const tell = once(options.onTrouble);
  const stopping = new AbortController();
  const shared = backend.prefix === undefined ? {} : { prefix: backend.prefix };
  const queue = new Queue<JobData, void, string, JobData, void, string, IQueueBackend, C>(
    QUEUE,
    { ...shared, connection: backend.adding },
    backend.factory,
  );
  const worker = new Worker<JobData, void, string, IQueueBackend, never, C>(
    QUEUE,
    (job) => work(job, options, stopping.signal),
    {
      ...shared,
      ...workerTiming(patience),
      connection: backend.working,
      concurrency: options.concurrency,
      maxStalledCount: HOSTS_LOST_MAX,
    },
    backend.factory,
  );
  // Without a listener a lost connection would end the process.
  queue.on('error', (cause) => tell('The queue of jobs cannot be reached.', cause));
  worker.on('error', (cause) => tell('Jobs cannot be fetched.', cause));
  worker.on('ready', () => tell(undefined));
  worker.on('failed', (job, cause) => {
    if (job !== undefined && job.attemptsMade >= ATTEMPTS_MAX)
      options.onTrouble(`The job ${job.name} was given up after ${ATTEMPTS_MAX} attempts.`, cause);
  });
  return {
    add: ({ name, id, data }) => inTime(queue.add(name, data, jobOptions(id, patience)), patience.addMs),
    async [Symbol.asyncDispose]() {
      stopping.abort(new ProblemError('server_shutdown', 'This server is stopping.'));
      await atMost(worker.close(), patience.stopMs);
      await atMost(Promise.all([worker.close(true), queue.close()]), patience.stopMs);
      await backend[Symbol.asyncDispose]();
    },
  };
}

const workerTiming = ({ lockMs, stalledMs }: JobPatience) => ({
  lockDuration: lockMs,
  stalledInterval: stalledMs,
  runRetryDelay: 1_000,
});

/** A job that is over is forgotten, so that the next of its id is not taken for it. */
const jobOptions = (jobId: string, { retryMs }: JobPatience) => ({
  jobId,
  attempts: ATTEMPTS_MAX,
  backoff: { type: 'exponential', delay: retryMs },
  removeOnComplete: true,
  removeOnFail: true,
});

async function work(job: Job<JobData, void>, { handlers }: JobQueueOptions, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const handler = handlers[job.name];
  // Hosts of two releases share a queue while one replaces the other; one that knows the job will take it.
  if (handler === undefined) throw new Error(`there is no handler for the job ${job.name}`);
  await handler(job.data, signal);
}

async function inTime(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  const over = new AbortController();
  work.catch(() => undefined); // when nobody waits any more, nobody hears how it ended
  const late = wait(timeoutMs, undefined, { signal: over.signal }).then(
    () => Promise.reject(new Error(`no answer within ${timeoutMs} ms`)),
    () => undefined,
  );
  try {
    await Promise.race([work, late]);
  } catch (cause) {
    throw new ProblemError('service_unavailable', 'The queue of jobs does not answer. Try again in a moment.', {
      cause,
    });
  } finally {
    over.abort();
  }
}

/** A back end that is away would keep a host from stopping. */
async function atMost(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  const over = new AbortController();
  const late = wait(timeoutMs, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([work.catch(() => undefined), late]);
  over.abort();
}

/** Says the same thing once until it is over. */
function once(onTrouble: JobQueueOptions['onTrouble']): (message: string | undefined, cause?: unknown) => void {
  let said: string | undefined;
  return (message, cause) => {
    if (message !== undefined && message !== said) onTrouble(message, cause);
    said = message;
  };
}
