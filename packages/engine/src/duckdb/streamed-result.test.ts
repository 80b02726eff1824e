import { describe, expect, it } from '@jest/globals';
import { EMPTY_DUCKDB } from '../../testing/open-duckdb.ts';
import { readResult } from '../../testing/read-result.ts';
import { DuckDbEngine } from './duckdb-engine.ts';

describe('a result that SQL writes', () => {
  it('leaves nothing in the memory that the next statements may use', async () => {
    const memoryBytesMax = 32 * 1024 * 1024;
    await using engine = await DuckDbEngine.open({ ...EMPTY_DUCKDB, memoryBytesMax, threads: 1 });
    // A sort with a limit takes about 1 MB, and its prepared statement holds it until it is destroyed.
    for (let run = 0; run < 60; run += 1) {
      const sorted = `SELECT n, ${run} AS run FROM range(100) AS numbers(n) ORDER BY n DESC`;
      const { rows } = await readResult(engine, sorted, { format: { name: 'xlsx' }, rowsMax: 1_000 });
      expect(rows).toBe(100);
    }
  });
});
