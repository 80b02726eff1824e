import { setTimeout as wait } from 'node:timers/promises';
import { ProblemError } from '@sluice/contract';
import type { Job } from 'bullmq';
import { ATTEMPTS_MAX, BullMqEndpoint, type BullMqEndpointOptions, type JobBackend } from './bullmq-endpoint.ts';
import { JOB_TIMEOUTS, type JobData, type JobQueue, type JobQueueOptions, type JobTimeouts } from './job-queue.ts';

const RETRY_START_MS = 1_000;

/**
 * A queue on whichever back end BullMQ has: the same code for all of them. `connect` is called for every attempt to reach it, since
 * what BullMQ once listened to, it never leaves again.
 */
export function openBullMqQueue<C>(connect: () => JobBackend<C>, options: JobQueueOptions): JobQueue {
  const timeouts = { ...JOB_TIMEOUTS, ...options.timeouts };
  const stopping = new AbortController();
  const opening = startEndpoint(connect, stopping.signal, {
    timeouts,
    concurrency: options.concurrency,
    work: (job) => work(job, options, stopping.signal),
    report: reportOnce(options.onTrouble),
    onDropped: ({ name }, cause) =>
      options.onTrouble(`The job ${name} was given up after ${ATTEMPTS_MAX} attempts.`, cause),
  });
  return {
    add({ name, id, data }) {
      const adding = opening.then((endpoint) => endpoint?.queue.add(name, data, jobOptions(id, timeouts)));
      return withTimeout(adding, timeouts.addMs);
    },
    async [Symbol.asyncDispose]() {
      stopping.abort(new ProblemError('server_shutdown', 'This server is stopping.'));
      const endpoint = await opening;
      if (endpoint === undefined) return;
      await settleWithin(endpoint.drain(), timeouts.stopMs);
      await closeEndpoint(endpoint, timeouts);
    },
  };
}

/** Answers a endpoint that works, however long the back end is away before; undefined when this server stops before. */
async function startEndpoint<C>(
  connect: () => JobBackend<C>,
  signal: AbortSignal,
  options: BullMqEndpointOptions,
): Promise<BullMqEndpoint<C> | undefined> {
  while (!signal.aborted) {
    const endpoint = new BullMqEndpoint(connect(), options);
    const started = await untilAborted(endpoint.start(), signal).catch((cause) => {
      options.report('The queue of jobs cannot be reached.', cause);
      return 'failed' as const;
    });
    if (started === 'done') return endpoint;
    await closeEndpoint(endpoint, options.timeouts);
    await wait(RETRY_START_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

async function closeEndpoint<C>(endpoint: BullMqEndpoint<C>, { stopMs }: JobTimeouts): Promise<void> {
  await settleWithin(endpoint.close(), stopMs);
  await settleWithin(endpoint.disconnect(), stopMs);
  await settleWithin(endpoint.dispose(), stopMs);
}

/** A back end that never answers must not keep a server from stopping. */
async function untilAborted(started: Promise<void>, signal: AbortSignal): Promise<'done' | 'aborted'> {
  const over = new AbortController();
  const aborted = new Promise<'aborted'>((resolve) => {
    signal.addEventListener('abort', () => resolve('aborted'), { signal: over.signal });
  });
  try {
    return await Promise.race([started.then(() => 'done' as const), aborted]);
  } finally {
    over.abort();
  }
}

/** A job that is over is forgotten, so that the next of its id is not taken for it. */
const jobOptions = (jobId: string, { retryMs }: JobTimeouts) => ({
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

async function withTimeout(work: Promise<unknown>, timeoutMs: number): Promise<void> {
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

/** A back end that is away would keep a endpoint from stopping. */
async function settleWithin(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  const over = new AbortController();
  const late = wait(timeoutMs, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([work.catch(() => undefined), late]);
  over.abort();
}

/** Says the same thing once until it is over. */
function reportOnce(onTrouble: JobQueueOptions['onTrouble']): (message: string | undefined, cause?: unknown) => void {
  let said: string | undefined;
  return (message, cause) => {
    if (message !== undefined && message !== said) onTrouble(message, cause);
    said = message;
  };
}
