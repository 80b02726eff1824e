import { type JobQueue, type JobQueueOptions, openPostgresJobs, openRedisJobs } from '@sluice/jobs';
import type { ApiHostSettings } from '../config.ts';

/** Opens a queue of jobs: in Redis if it is configured, else in PostgreSQL. */
export const openJobs = (settings: ApiHostSettings, options: JobQueueOptions): JobQueue =>
  settings.redisUrl === undefined
    ? openPostgresJobs({ ...options, url: settings.databaseUrl.reveal() })
    : openRedisJobs({ ...options, url: settings.redisUrl.reveal(), prefix: settings.redisPrefix });
