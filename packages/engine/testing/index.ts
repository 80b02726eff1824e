export { createDuckDbFiles, DUCKDB_SQL, type DuckDbFiles } from './duckdb-fixture.ts';
export { describeEngine } from './engine-contract.ts';
export type { EngineFixture, EngineSql } from './engine-fixture.ts';
export { type FakeColumn, type FakePage, type FakeResult, numberedResult, numberedText } from './fake-result.ts';
export { type FakeFault, type FakeRequest, FakeTrino, type FakeTrinoOptions } from './fake-trino.ts';
export { type GeneratedColumn, generatedColumns, selectGenerated } from './generated-values.ts';
export { EMPTY_DUCKDB, openEmptyDuckDb } from './open-duckdb.ts';
export { formatSpec, type ReadOptions, readResult, type TextResult } from './read-result.ts';
export { createTrinoFixture, runOnTrino, TRINO_SQL } from './trino-fixture.ts';
