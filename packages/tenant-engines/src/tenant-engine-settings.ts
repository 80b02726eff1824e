import { availableParallelism } from 'node:os';
import { bytes, duration, integer, list, type SettingsOf, string } from '@sluice/config';
import { trinoSettings } from './trino-settings.ts';

/** What a query worker may use at the most, unless it is set. */
export const WORKER_MEMORY_DEFAULT_MIB = 2048;

/** Which engine serves a tenant, and what each of its workers may use: the same on every host that asks engines. */
export const tenantEngineSettings = {
  ...trinoSettings,
  duckDbCatalogs: list('DUCKDB_CATALOGS', {
    description: 'DuckDB database files that every tenant reads, as `name=path`.',
    pattern: /^[A-Za-z_]\w*=.+$/,
    form: 'items like name=path, separated by commas',
    optional: true,
  }),
  duckDbDefaultSchema: string('DUCKDB_DEFAULT_SCHEMA', {
    description: 'Catalog and schema of names that have none, as `catalog.schema`.',
    pattern: /^[A-Za-z_]\w*\.[A-Za-z_]\w*$/,
    form: 'catalog.schema',
    default: 'memory.main',
  }),
  duckDbPlanningMs: duration('DUCKDB_PLANNING_TIME', {
    description:
      'Processor time that DuckDB may take to plan a statement, beyond which it ends with RESOURCE_LIMIT. Waiting for a processor does not count.',
    min: '1s',
    default: '20s',
  }),
  filesCatalog: string('FILES_CATALOG', {
    description: 'DuckDB database file whose views read SLUICE_DATA_DIR; it is the default tenant’s catalog `files`.',
    optional: true,
  }),
  dataFolder: string('SLUICE_DATA_DIR', { description: 'The only folder that those views may read.', optional: true }),
  workerMemoryBytes: bytes('WORKER_MEMORY', {
    description: 'Address space of a query worker, beyond which its query ends with RESOURCE_LIMIT.',
    min: '1536MiB',
    default: `${WORKER_MEMORY_DEFAULT_MIB}MiB`,
  }),
  workerTempBytes: bytes('WORKER_TEMP', {
    description:
      'Disk that a query worker may use for what does not fit its memory, in the system’s folder for temporary files.',
    default: '4GiB',
  }),
  workerThreads: integer('WORKER_THREADS', {
    description: 'Threads of one query.',
    min: 1,
    max: 64,
    default: String(Math.min(4, availableParallelism())),
    defaultMeaning: 'the processors of the machine, at most 4',
  }),
} as const;

/** As read, with the tenant that the folder of files belongs to. */
export type TenantEngineSettings = SettingsOf<typeof tenantEngineSettings> & {
  readonly tenantNameDefault: string | undefined;
};
