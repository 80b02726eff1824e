import { type ConnectionOptions, createRedisBackend } from 'bullmq';
import { openBullMqQueue } from './bullmq-queue.ts';
import type { JobQueue, JobQueueOptions } from './job-queue.ts';

export interface RedisJobsOptions extends JobQueueOptions {
  /** With user, password and number of the database where there are some; `rediss://` for TLS. */
  readonly url: string;
  /** Begins every key. */
  readonly prefix: string;
}

const CONNECT_MS = 1_000;
const RECONNECT_MS = 500;

/** Jobs in Redis, which must not evict keys (`maxmemory-policy noeviction`). Opens at once, whether Redis answers or not. */
export function openRedisJobs({ url, prefix, ...options }: RedisJobsOptions): JobQueue {
  const common = {
    url,
    connectTimeout: CONNECT_MS,
    retryStrategy: () => RECONNECT_MS,
    // After a failover the old primary answers READONLY for as long as it is asked.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  };
  const adding = {
    ...common,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: CONNECT_MS,
  };
  // The one that waits for jobs must be allowed to wait.
  const working = { ...common, maxRetriesPerRequest: null };
  const close = async (): Promise<void> => undefined; // BullMQ closes what it opened itself
  // The hash tag keeps what one script touches on one node of a cluster.
  return openBullMqQueue<ConnectionOptions>(
    () => ({ adding, working, factory: createRedisBackend, prefix: `${prefix}{jobs}`, [Symbol.asyncDispose]: close }),
    options,
  );
}
