import { setTimeout as wait } from 'node:timers/promises';
import { ProblemError } from '@sluice/contract';
import type { Job } from 'bullmq';
import { ATTEMPTS_MAX, BullMqEndpoint, type BullMqEndpointOptions, type JobBackend } from './bullmq-endpoint.ts';
import { JOB_TIMEOUTS, type JobData, type JobQueue, type JobQueueOptions, type JobTimeouts } from './job-queue.ts';
import { reportOnce } from './report-once.ts';
import { settleWithin, withTimeout } from './with-timeout.ts';

const RETRY_START_MS = 1_000;

/**
 * Opens a queue on any back end of BullMQ. `connect` is called for each attempt to reach the back end, since BullMQ never removes
 * its listeners from a connection.
 */
export function openBullMqQueue<C>(connect: () => JobBackend<C>, options: JobQueueOptions): JobQueue {
  const timeouts = { ...JOB_TIMEOUTS, ...options.timeouts };
  const stopping = new AbortController();
  const opening = startEndpoint(connect, stopping.signal, {
    timeouts,
    queue: options.queue,
    concurrency: options.concurrency,
    work: (job) => work(job, options, stopping.signal),
    report: reportOnce(options.onWarning),
    onDropped: ({ name }, cause) =>
      options.onWarning(`The job ${name} was dropped after ${ATTEMPTS_MAX} attempts.`, cause),
  });
  return {
    async add({ name, id, data }) {
      const adding = opening.then((endpoint) => endpoint?.queue.add(name, data, jobOptions(id, timeouts)));
      await withTimeout(adding, timeouts.addMs).catch((cause) => {
        throw new ProblemError('service_unavailable', 'The job queue is unavailable. Try again in a moment.', {
          cause,
        });
      });
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

/** Returns a started endpoint, after as many attempts as needed, or undefined when this server stops before. */
async function startEndpoint<C>(
  connect: () => JobBackend<C>,
  signal: AbortSignal,
  options: BullMqEndpointOptions,
): Promise<BullMqEndpoint<C> | undefined> {
  while (!signal.aborted) {
    const endpoint = new BullMqEndpoint(connect(), options);
    const started = await untilAborted(endpoint.start(), signal).catch((cause) => {
      options.report('The job queue is unavailable.', cause);
      return 'failed' as const;
    });
    if (started === 'done') return endpoint;
    await closeEndpoint(endpoint, options.timeouts);
    await wait(RETRY_START_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

/** Closes an endpoint in bounded time: an unavailable back end must not keep a host from stopping. */
async function closeEndpoint<C>(endpoint: BullMqEndpoint<C>, { stopMs }: JobTimeouts): Promise<void> {
  await settleWithin(endpoint.close(), stopMs);
  await settleWithin(endpoint.disconnect(), stopMs);
  await settleWithin(endpoint.dispose(), stopMs);
}

/** Waits for the start or the stop of the server: a back end that never responds must not prevent the stop. */
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

/** Ended jobs are removed, so that their ids can be used again. */
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
  // During a rolling upgrade hosts of two releases share a queue; a host that knows the job retries it.
  if (handler === undefined) throw new Error(`there is no handler for the job ${job.name}`);
  await handler(job.data, signal);
}
