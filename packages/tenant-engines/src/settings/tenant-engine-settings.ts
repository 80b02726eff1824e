import { availableParallelism } from 'node:os';
import { bytes, duration, integer, list, type SettingsOf, string } from '@sluice/config';
import { trinoSettings } from './trino-settings.ts';

/** Default of `WORKER_MEMORY` in MiB. */
const WORKER_MEMORY_DEFAULT_MIB = 2048;

/** Settings of the engines and the resource limits of their workers. They must be the same on all hosts that use engines. */
export const tenantEngineSettings = {
  ...trinoSettings,
  duckDbCatalogs: list('DUCKDB_CATALOGS', {
    description: 'DuckDB database files that every tenant can read, as `name=path`.',
    pattern: /^[A-Za-z_]\w*=.+$/,
    form: 'items like name=path, separated by commas',
    optional: true,
  }),
  duckDbDefaultSchema: string('DUCKDB_DEFAULT_SCHEMA', {
    description: 'Default catalog and schema of unqualified names, as `catalog.schema`.',
    pattern: /^[A-Za-z_]\w*\.[A-Za-z_]\w*$/,
    form: 'catalog.schema',
    default: 'memory.main',
  }),
  duckDbPlanningMs: duration('DUCKDB_PLANNING_TIME', {
    description:
      'Processor time limit for planning a DuckDB statement, which otherwise fails with RESOURCE_LIMIT. Waiting for a processor does not count.',
    min: '1s',
    default: '20s',
  }),
  filesCatalog: string('FILES_CATALOG', {
    description:
      'DuckDB database file with views on SLUICE_DATA_DIR. It becomes the catalog `files` of the default tenant.',
    optional: true,
  }),
  dataFolder: string('SLUICE_DATA_DIR', {
    description: 'Only folder that the views of FILES_CATALOG may read.',
    optional: true,
  }),
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
