// One way to read a result of Trino, in a process of its own: `node reader-main.js WAY URL SQL`. Prints one line of JSON:
// {"ms":..., "cpuSeconds":..., "rows":...}; rows is 0 where nobody counts them.
import { READERS } from './readers.ts';

const [way = '', url = '', sql = ''] = process.argv.slice(2);
const read = READERS[way];
if (read === undefined) throw new Error(`There is no way ${way}; there are ${Object.keys(READERS).join(', ')}.`);

const before = process.cpuUsage();
const start = performance.now();
const rows = await read(url, sql);
const ms = performance.now() - start;
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${JSON.stringify({ ms, cpuSeconds: (user + system) / 1e6, rows })}\n`);
