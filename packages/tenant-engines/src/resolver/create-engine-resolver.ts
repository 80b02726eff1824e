import type { DuckDbCatalog } from '@sluice/engine';
import { filesRevision, ownsFiles } from '../files/files-catalog.ts';
import type { TenantEngineSettings } from '../settings/tenant-engine-settings.ts';
import { createTrinoResolver } from './create-trino-resolver.ts';
import type { EngineResolver } from './engine-resolver.ts';

/** Address space that Node.js and the engine's code map before any statement (measured: 0.9 GB). */
const MAPPED_BYTES = 900 * 1024 * 1024;
/**
 * Share of the remaining address space for DuckDB. It also allocates memory that it does not count, and must reach its own limit, and
 * spill to disk, before the operating system's limit. glibc reserves its arenas in steps of 64 MiB, and the blocks of a sort that
 * spills fragment them: with 0.7 of 636 MiB about every fourth such sort failed with `bad allocation`, with 0.6 none of 50 (measured).
 */
const ENGINE_SHARE = 0.6;

/** Creates the resolver for DuckDB with read-only database files. Only the default tenant gets the folder of files. */
function createDuckDbResolver(settings: TenantEngineSettings): EngineResolver {
  const shared = (settings.duckDbCatalogs ?? []).map(parseCatalog);
  const [defaultCatalog = '', defaultSchema = ''] = settings.duckDbDefaultSchema.split('.');
  return (tenant) => {
    const hasFiles = ownsFiles(settings, tenant);
    const filesPath = settings.filesCatalog ?? '';
    const files = hasFiles ? [{ name: 'files', path: filesPath }] : [];
    return {
      kind: 'duckdb',
      key: tenant.id,
      ...(hasFiles ? { revision: filesRevision(filesPath) } : {}),
      profile: {
        catalogs: [...shared, ...files],
        defaultCatalog,
        defaultSchema,
        readableFolders: hasFiles && settings.dataFolder !== undefined ? [settings.dataFolder] : [],
        memoryBytesMax: Math.floor((settings.workerMemoryBytes - MAPPED_BYTES) * ENGINE_SHARE),
        tempBytesMax: settings.workerTempBytes,
        threads: settings.workerThreads,
        planningMsMax: settings.duckDbPlanningMs,
      },
    };
  };
}

function parseCatalog(item: string): DuckDbCatalog {
  const at = item.indexOf('=');
  return { name: item.slice(0, at), path: item.slice(at + 1) };
}

/** Creates the resolver for Trino if the settings have its address, otherwise for DuckDB. Throws a SettingsError for invalid settings. */
export const createEngineResolver = (settings: TenantEngineSettings): EngineResolver =>
  settings.engineUrl === undefined ? createDuckDbResolver(settings) : createTrinoResolver(settings, settings.engineUrl);
