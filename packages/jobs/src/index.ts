export {
  JOB_TIMEOUTS,
  type JobData,
  type JobHandler,
  type JobTimeouts,
  type JobQueue,
  type JobQueueOptions,
  type NewJob,
} from './job-queue.ts';
export { type MigrateJobsOptions, migrateJobs } from './migrate-jobs.ts';
export { openPostgresJobs, type PostgresJobsOptions } from './postgres-jobs.ts';
export { openRedisJobs, type RedisJobsOptions } from './redis-jobs.ts';
