export type { EngineSpec, QueryJob } from './query-job.ts';
export { type WorkerLease, WorkerPool, type WorkerPoolOptions, type WorkerSource } from './worker-pool.ts';
export { WorkerProcess } from './worker-process.ts';
