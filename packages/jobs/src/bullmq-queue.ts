import { setTimeout as wait } from 'node:timers/promises';
import { ProblemError } from '@sluice/contract';
import type { Job } from 'bullmq';
import { ATTEMPTS_MAX, BullMqHost, type BullMqHostOptions, type JobBackend } from './bullmq-host.ts';
import { JOB_TIMEOUTS, type JobData, type JobQueue, type JobQueueOptions, type JobTimeouts } from './job-queue.ts';

const RETRY_START_MS = 1_000;

/**
 * A queue on whichever back end BullMQ has: the same code for all of them. `connect` is called for every attempt to reach it, since
 * what BullMQ once listened to, it never leaves again.
 */
export function openBullMqQueue<C>(connect: () => JobBackend<C>, options: JobQueueOptions): JobQueue {
  const patience = { ...JOB_TIMEOUTS, ...options.patience };
  const stopping = new AbortController();
  const opening = startHost(connect, stopping.signal, {
    patience,
    concurrency: options.concurrency,
    work: (job) => work(job, options, stopping.signal),
    tell: once(options.onTrouble),
    onGivenUp: ({ name }, cause) =>
      options.onTrouble(`The job ${name} was given up after ${ATTEMPTS_MAX} attempts.`, cause),
  });
  return {
    add({ name, id, data }) {
      const adding = opening.then((host) => host?.queue.add(name, data, jobOptions(id, patience)));
      return inTime(adding, patience.addMs);
    },
    async [Symbol.asyncDispose]() {
      stopping.abort(new ProblemError('server_shutdown', 'This server is stopping.'));
      const host = await opening;
      if (host === undefined) return;
      await atMost(host.finish(), patience.stopMs);
      await leave(host, patience);
    },
  };
}

/** Answers a host that works, however long the back end is away before; undefined when this server stops before. */
async function startHost<C>(
  connect: () => JobBackend<C>,
  signal: AbortSignal,
  options: BullMqHostOptions,
): Promise<BullMqHost<C> | undefined> {
  while (!signal.aborted) {
    const host = new BullMqHost(connect(), options);
    const started = await untilAborted(host.start(), signal).catch((cause) => {
      options.tell('The queue of jobs cannot be reached.', cause);
      return 'failed' as const;
    });
    if (started === 'done') return host;
    await leave(host, options.patience);
    await wait(RETRY_START_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

async function leave<C>(host: BullMqHost<C>, { stopMs }: JobTimeouts): Promise<void> {
  await atMost(host.close(), stopMs);
  await atMost(host.disconnect(), stopMs);
  await atMost(host.dispose(), stopMs);
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
