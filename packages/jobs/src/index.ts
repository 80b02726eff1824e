export type { JobHandler, JobQueue, JobQueueOptions, NewJob } from './job-queue.ts';
export { migrateJobs } from './migrate-jobs.ts';
export { openPostgresJobs } from './postgres-jobs.ts';
export { openRedisJobs } from './redis-jobs.ts';
