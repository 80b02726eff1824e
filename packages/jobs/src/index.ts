export {
  JOB_PATIENCE,
  type JobData,
  type JobHandler,
  type JobPatience,
  type JobQueue,
  type JobQueueOptions,
  type NewJob,
} from './job-queue.ts';
export { type MigrateJobsOptions, migrateJobs } from './migrate-jobs.ts';
export { openPostgresJobs, type PostgresJobsOptions } from './postgres-jobs.ts';
export { openRedisJobs, type RedisJobsOptions } from './redis-jobs.ts';
