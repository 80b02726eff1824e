import { tmpdir } from 'node:os';
import { WorkerPool, type WorkerPoolOptions } from '@sluice/query-worker';
import type { TenantEngineSettings } from './resolver/create-engine-resolver.ts';

export type CreateWorkerPoolOptions = Pick<
  WorkerPoolOptions,
  'workersMax' | 'workersWarm' | 'workersWarmPerTenant' | 'onWarning'
> & { readonly settings: Pick<TenantEngineSettings, 'workerMemoryBytes'> };

/** Creates the worker pool of a host, which disposes of it. */
export const createWorkerPool = ({ settings, ...options }: CreateWorkerPoolOptions): WorkerPool =>
  new WorkerPool({ ...options, addressSpaceBytesMax: settings.workerMemoryBytes, tempParentFolder: tmpdir() });
