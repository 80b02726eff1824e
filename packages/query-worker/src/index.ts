export { Admission } from './pool/admission/admission.ts';
export type { BlockedRequest, WorkerRequester } from './pool/admission/requester.ts';
export { TempFolders } from './pool/temp-folders.ts';
export { WorkerPool, type WorkerPoolOptions } from './pool/worker-pool.ts';
export type { WorkerLease, WorkerSource } from './pool/worker-source.ts';
export type {
  EngineTime,
  JobProgress,
  KeepSpec,
  OnStored,
  QueryJob,
  ReadStored,
  StoredEnd,
  StoredPart,
  StoredSpec,
} from './protocol/query-job.ts';
