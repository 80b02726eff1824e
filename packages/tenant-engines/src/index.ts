export { createEngineCheck } from './create-engine-check.ts';
export { createWorkerPool } from './create-worker-pool.ts';
export { createFilesReportReader, type FilesReportReader, filesRevision } from './files/files-catalog.ts';
export { openTenantEngines } from './open-tenant-engines.ts';
export { requireParameters } from './require-parameters.ts';
export { type CatalogueEngine, createCatalogueEngine } from './resolver/create-catalogue-engine.ts';
export {
  createEngineResolver,
  createFileEngineResolver,
  type TenantEngineSettings,
  tenantEngineSettings,
} from './resolver/create-engine-resolver.ts';
export type { EngineResolver } from './resolver/engine-resolver.ts';
export { parseTenantOverrides } from './resolver/tenant-overrides.ts';
export { trinoAccountWarnings } from './resolver/trino-account-warnings.ts';
export { TenantEngines } from './tenant-engines.ts';
