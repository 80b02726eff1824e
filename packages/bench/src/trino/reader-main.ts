// Usage: node reader-main.js READER URL SQL [USER PASSWORD]. Reads a result of Trino in a separate process. Prints one line of JSON:
// {"ms":..., "cpuSeconds":..., "rows":...}; rows is 0 for a reader that does not count them.
import { READERS } from './readers.ts';

const [way = '', url = '', sql = '', user = 'bench', password] = process.argv.slice(2);
const read = READERS[way];
if (read === undefined) throw new Error(`Unknown reader ${way}. The readers are ${Object.keys(READERS).join(', ')}.`);

const before = process.cpuUsage();
const start = performance.now();
const rows = await read(url, sql, { user, password });
const ms = performance.now() - start;
const { user: userTime, system } = process.cpuUsage(before);
process.stdout.write(`${JSON.stringify({ ms, cpuSeconds: (userTime + system) / 1e6, rows })}\n`);
