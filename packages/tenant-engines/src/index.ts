export { createEngineCheck } from './create-engine-check.ts';
export { createEngineResolver } from './create-engine-resolver.ts';
export { createWorkerPool } from './create-worker-pool.ts';
export type { EngineResolver } from './engine-resolver.ts';
export { openTenantEngines } from './open-tenant-engines.ts';
export { tenantEngineSettings } from './tenant-engine-settings.ts';
export { TenantEngines } from './tenant-engines.ts';
export { trinoAccountWarnings } from './trino-account-warnings.ts';
