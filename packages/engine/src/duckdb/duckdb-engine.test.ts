import { createDuckDbFiles, DUCKDB_SQL } from '../../testing/duckdb-fixture.ts';
import { describeEngine } from '../../testing/engine-contract.ts';
import { DuckDbEngine } from './duckdb-engine.ts';

describeEngine('DuckDB', async () => {
  const files = await createDuckDbFiles();
  return {
    sql: DUCKDB_SQL,
    open: () => DuckDbEngine.open(files.profile),
    [Symbol.asyncDispose]: () => files[Symbol.asyncDispose](),
  };
});
