import { type ConnectionOptions, createRedisBackend } from 'bullmq';
import { openBullMqQueue } from './bullmq-queue.ts';
import type { JobQueue, JobQueueOptions } from './job-queue.ts';

interface RedisJobsOptions extends JobQueueOptions {
  /** May contain user, password and database number; `rediss://` for TLS. */
  readonly url: string;
  /** Prefix of every key. */
  readonly prefix: string;
}

const CONNECT_MS = 1_000;
const RECONNECT_MS = 500;

/** Opens jobs in Redis, which must not evict keys (`maxmemory-policy noeviction`). Returns immediately, even while Redis is unavailable. */
export function openRedisJobs({ url, prefix, ...options }: RedisJobsOptions): JobQueue {
  const common = {
    url,
    connectTimeout: CONNECT_MS,
    retryStrategy: () => RECONNECT_MS,
    // After a failover the old primary replies READONLY until the client reconnects.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  };
  const adding = {
    ...common,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: CONNECT_MS,
  };
  // The connection that waits for jobs must not time out.
  const working = { ...common, maxRetriesPerRequest: null };
  const close = async (): Promise<void> => undefined; // BullMQ closes its own connections
  // The hash tag puts all keys of a script on one node of a cluster.
  return openBullMqQueue<ConnectionOptions>(
    () => ({ adding, working, factory: createRedisBackend, prefix: `${prefix}{jobs}`, [Symbol.asyncDispose]: close }),
    options,
  );
}
