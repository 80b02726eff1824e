import { availableParallelism } from 'node:os';
import { bytes, integer, type SettingsOf } from '@sluice/config';
import { engineCapabilities } from '@sluice/engine';
import { createDuckDbResolver, duckDbSettings } from './create-duckdb-resolver.ts';
import { createTrinoResolver, trinoSettings } from './create-trino-resolver.ts';
import type { EngineResolver } from './engine-resolver.ts';

/** Default of `WORKER_MEMORY` in MiB. */
const WORKER_MEMORY_DEFAULT_MIB = 2048;

/** Settings of the engines and the resource limits of their workers. They must be the same on all hosts that use engines. */
export const tenantEngineSettings = {
  ...trinoSettings,
  ...duckDbSettings,
  workerMemoryBytes: bytes('WORKER_MEMORY', {
    description: 'Address space limit of a query worker. A query that exceeds it fails with RESOURCE_LIMIT.',
    min: '1536MiB',
    default: `${WORKER_MEMORY_DEFAULT_MIB}MiB`,
  }),
  workerTempBytes: bytes('WORKER_TEMP', {
    description:
      'Disk space that a query worker may use in the temporary folder for data that does not fit its memory.',
    default: '4GiB',
  }),
  workerThreads: integer('WORKER_THREADS', {
    description: 'Number of threads of one query.',
    min: 1,
    max: 64,
    default: String(Math.min(4, availableParallelism())),
    defaultMeaning: 'number of processors, at most 4',
  }),
} as const;

/** Values of these settings, with the tenant that the folder of files belongs to. */
export type TenantEngineSettings = SettingsOf<typeof tenantEngineSettings> & {
  readonly tenantNameDefault: string | undefined;
};

/** Creates the resolver for Trino if the settings have its address, otherwise for DuckDB. Throws a SettingsError for invalid settings. */
export const createEngineResolver = (settings: TenantEngineSettings): EngineResolver =>
  settings.engineUrl === undefined ? createDuckDbResolver(settings) : createTrinoResolver(settings, settings.engineUrl);

/** Distinguishes this engine from the tenant's own in a worker, which opens the other one when it needs it. */
const FILES_REVISION = 'files';

/**
 * Creates the resolver for the engine that writes files from rows of kept results: the tenant's own if it writes files, otherwise a DuckDB
 * without data.
 */
export function createFileEngineResolver(
  settings: TenantEngineSettings,
  resolveEngine: EngineResolver,
): EngineResolver {
  const withoutData = createDuckDbResolver({ ...settings, ...NO_DATA });
  return (tenant) => {
    const engine = resolveEngine(tenant);
    return engineCapabilities(engine).writesFiles ? engine : { ...withoutData(tenant), revision: FILES_REVISION };
  };
}

const NO_DATA = {
  duckDbCatalogs: undefined,
  duckDbDefaultSchema: 'memory.main',
  filesCatalog: undefined,
  dataFolder: undefined,
} as const;
