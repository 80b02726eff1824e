import { createDuckDbFiles, DUCKDB_SQL } from '../../testing/duckdb-fixture.ts';
import { describeEngine } from '../../testing/engine-contract.ts';
import { duckDbListing } from './catalog/duckdb-listing.ts';
import { DuckDbEngine } from './duckdb-engine.ts';

describeEngine('DuckDB', async () => {
  const files = await createDuckDbFiles();
  return {
    sql: DUCKDB_SQL,
    listing: duckDbListing(files.profile),
    open: () => DuckDbEngine.open(files.profile),
    [Symbol.asyncDispose]: () => files[Symbol.asyncDispose](),
  };
});
