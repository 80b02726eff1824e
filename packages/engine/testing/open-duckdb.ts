import { DuckDbEngine } from '../src/duckdb/duckdb-engine.ts';
import type { DuckDbProfile } from '../src/duckdb/profile.ts';

/** Row writer of the tests. The Jest project `sql-rows` runs some of them again with SQL. */
// biome-ignore lint/style/noProcessEnv: a test run reads its row writer like a service does
export const TESTED_ROW_WRITER = process.env['SLUICE_TEST_ROW_WRITER'] === 'sql' ? 'sql' : 'webassembly';

/** DuckDB without any data. */
export const EMPTY_DUCKDB: DuckDbProfile = {
  catalogs: [],
  defaultCatalog: 'memory',
  defaultSchema: 'main',
  readableFolders: [],
  memoryBytesMax: 512 * 1024 * 1024,
  threads: 2,
  rowWriter: TESTED_ROW_WRITER,
};

/** Opens an engine without data, for statements that create their own rows. The caller disposes of it. */
export const openEmptyDuckDb = (): Promise<DuckDbEngine> => DuckDbEngine.open(EMPTY_DUCKDB);
