// What DuckDB itself takes for a catalog, as yardstick for a query worker: it opens the file and lists every column, which nobody
// keeps. Prints one line of JSON: {"peakBytes":...}.
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
