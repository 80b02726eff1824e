// The limit of the engine itself, in a separate process: one COPY of the same statement to /dev/null.
// Prints one line of JSON: {"ms":..., "cpuSeconds":...}. Fails while another COPY to /dev/null runs, because DuckDB locks its target.
import { DuckDBInstance } from '@duckdb/node-api';

const [databaseFile = '', sql = '', format = 'csv'] = process.argv.slice(2);
const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
await connection.run(`ATTACH '${databaseFile.replaceAll("'", "''")}' AS demo (READ_ONLY)`);
await connection.run('USE demo.vega');
await connection.run('SET threads = 1');
const before = process.cpuUsage();
const start = performance.now();
await connection.run(`COPY (${sql}) TO '/dev/null' (FORMAT ${format})`);
const ms = performance.now() - start;
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${JSON.stringify({ ms, cpuSeconds: (user + system) / 1e6 })}\n`);
