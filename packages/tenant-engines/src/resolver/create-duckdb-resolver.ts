import { duration, list, type SettingsOf, string } from '@sluice/config';
import type { DuckDbCatalog } from '@sluice/engine';
import { filesRevision, ownsFiles } from '../files/files-catalog.ts';
import type { EngineResolver } from './engine-resolver.ts';

/** Address space that Node.js and the engine's code map before any statement (measured: 0.9 GB). */
const MAPPED_BYTES = 900 * 1024 * 1024;
/**
 * Share of the remaining address space for DuckDB. It also allocates memory that it does not count, and must reach its own limit, and
 * spill to disk, before the operating system's limit. glibc reserves its arenas in steps of 64 MiB, and the blocks of a sort that
 * spills fragment them: with 0.7 of 636 MiB about every fourth such sort failed with `bad allocation`, with 0.6 none of 50 (measured).
 */
const ENGINE_SHARE = 0.6;

/** Settings of DuckDB, and of the folder of files. */
export const duckDbSettings = {
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
  filesReport: string('FILES_REPORT', {
    description: 'JSON list of the files that FILES_CATALOG was made from, for `GET /catalog/files`.',
    optional: true,
  }),
  dataFolder: string('SLUICE_DATA_DIR', {
    description: 'Only folder that the views of FILES_CATALOG may read.',
    optional: true,
  }),
} as const;

/** Settings of DuckDB, and of the worker process that it runs in. */
interface DuckDbSettings extends SettingsOf<typeof duckDbSettings> {
  readonly tenantNameDefault: string | undefined;
  readonly workerMemoryBytes: number;
  readonly workerTempBytes: number;
  readonly workerThreads: number;
}

/** Settings on which the limits of an instance depend. */
type LimitSettings = Pick<
  DuckDbSettings,
  'workerMemoryBytes' | 'workerTempBytes' | 'workerThreads' | 'duckDbPlanningMs'
>;

/** Returns the limits of every DuckDB in a worker. */
export const duckDbLimits = (settings: LimitSettings) => ({
  memoryBytesMax: Math.floor((settings.workerMemoryBytes - MAPPED_BYTES) * ENGINE_SHARE),
  tempBytesMax: settings.workerTempBytes,
  threads: settings.workerThreads,
  planningMsMax: settings.duckDbPlanningMs,
});

/** Creates the resolver for DuckDB with read-only database files. Only the default tenant gets the folder of files. */
export function createDuckDbResolver(settings: DuckDbSettings): EngineResolver {
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
        ...duckDbLimits(settings),
      },
    };
  };
}

function parseCatalog(item: string): DuckDbCatalog {
  const at = item.indexOf('=');
  return { name: item.slice(0, at), path: item.slice(at + 1) };
}
