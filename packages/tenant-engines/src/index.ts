export { createEngineCheck } from './create-engine-check.ts';
export { createEngineResolver } from './create-engine-resolver.ts';
export { type CreateWorkerPoolOptions, createWorkerPool } from './create-worker-pool.ts';
export type { EngineResolver } from './engine-resolver.ts';
export { type OpenTenantEnginesOptions, openTenantEngines } from './open-tenant-engines.ts';
export {
  type TenantEngineSettings,
  tenantEngineSettings,
  WORKER_MEMORY_DEFAULT_MIB,
} from './tenant-engine-settings.ts';
export { type CatalogInput, type DescribeInput, type EngineSource, TenantEngines } from './tenant-engines.ts';
export { trinoAccountWarnings } from './trino-account-warnings.ts';
