export { Admission, type AdmissionLimits } from './admission/admission.ts';
export type { WorkerRequester } from './admission/requester.ts';
export type { EngineSpec, JobProgress, OnProgress, QueryJob } from './query-job.ts';
export { WorkerPool, type WorkerPoolOptions } from './worker-pool.ts';
export { WorkerProcess } from './worker-process.ts';
export type { WorkerLease, WorkerSource } from './worker-source.ts';
