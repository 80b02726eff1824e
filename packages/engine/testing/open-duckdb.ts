import { DuckDbEngine } from '../src/duckdb/duckdb-engine.ts';
import type { DuckDbProfile } from '../src/duckdb/profile.ts';

/** DuckDB without any data. */
export const EMPTY_DUCKDB: DuckDbProfile = {
  catalogs: [],
  defaultCatalog: 'memory',
  defaultSchema: 'main',
  readableFolders: [],
  memoryBytesMax: 512 * 1024 * 1024,
  threads: 2,
};

/** Opens an engine without data, for statements that create their own rows. The caller disposes of it. */
export const openEmptyDuckDb = (): Promise<DuckDbEngine> => DuckDbEngine.open(EMPTY_DUCKDB);
