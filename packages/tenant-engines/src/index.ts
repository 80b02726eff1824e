export { chooseEngines } from './choose-engines.ts';
export { engineCheck } from './engine-check.ts';
export type { EngineOf } from './engine-of.ts';
export { type OpenTenantEnginesOptions, openTenantEngines } from './open-tenant-engines.ts';
export { type OpenWorkersOptions, openWorkers } from './open-workers.ts';
export {
  type TenantEngineSettings,
  tenantEngineSettings,
  WORKER_MEMORY_DEFAULT_MIB,
} from './tenant-engine-settings.ts';
export { type CatalogInput, type DescribeInput, type EngineSource, TenantEngines } from './tenant-engines.ts';
export { trinoAccountWarnings } from './trino-account-warnings.ts';
