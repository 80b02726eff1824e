export { createDuckDbFiles, DUCKDB_SQL, type DuckDbFiles } from './duckdb-fixture.ts';
export { describeEngine } from './engine-contract.ts';
export type { EngineFixture, EngineSql } from './engine-fixture.ts';
export { type GeneratedColumn, generatedColumns, selectGenerated } from './generated-values.ts';
export { EMPTY_DUCKDB, openEmptyDuckDb } from './open-duckdb.ts';
export { formatSpec, type ReadOptions, readResult, type TextResult } from './read-result.ts';
