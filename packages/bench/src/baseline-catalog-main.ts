// Measures the memory that DuckDB itself needs for a catalog, as baseline of a query worker: opens the file, lists every column and
// discards the list. Prints one line of JSON: {"peakBytes":...}.
import { DuckDBInstance } from '@duckdb/node-api';
import { memoryOf } from './process-tree.ts';

const [path = ''] = process.argv.slice(2);
const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
await connection.run(`ATTACH '${path.replaceAll("'", "''")}' AS wide (READ_ONLY)`);
const result = await connection.stream(`
  SELECT table_schema, table_name, column_name, data_type FROM information_schema.columns
  WHERE table_catalog = 'wide' ORDER BY table_schema, table_name, ordinal_position`);
for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk());
process.stdout.write(`${JSON.stringify({ peakBytes: memoryOf(process.pid).peakBytes })}\n`);
