export {
  JOB_TIMEOUTS,
  type JobData,
  type JobHandler,
  type JobQueue,
  type JobQueueOptions,
  type JobTimeouts,
  type NewJob,
} from './job-queue.ts';
export { type MigrateJobsOptions, migrateJobs } from './migrate-jobs.ts';
export { openPostgresJobs, type PostgresJobsOptions } from './postgres-jobs.ts';
export { openRedisJobs, type RedisJobsOptions } from './redis-jobs.ts';
