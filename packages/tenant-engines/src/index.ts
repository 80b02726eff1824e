export { createEngineCheck } from './create-engine-check.ts';
export { createWorkerPool } from './create-worker-pool.ts';
export { openTenantEngines } from './open-tenant-engines.ts';
export { requireParameters } from './require-parameters.ts';
export { createEngineResolver } from './resolver/create-engine-resolver.ts';
export type { EngineResolver } from './resolver/engine-resolver.ts';
export { trinoAccountWarnings } from './resolver/trino-account-warnings.ts';
export { tenantEngineSettings } from './settings/tenant-engine-settings.ts';
export { type DescribedStatement, TenantEngines } from './tenant-engines.ts';
