// Downloads a CSV file and checks it against its receipt.
import { basic, download } from './sluice.mjs';

const file = process.argv[2] ?? 'flights.csv';
const sql = 'SELECT * FROM flights ORDER BY date, origin, destination, distance, delay LIMIT 100000';
const { rows, bytes, sha256 } = await download(sql, file, basic('analyst@acme.example'));
console.log(`${file} is complete: ${rows} rows, ${bytes} bytes, SHA-256 ${sha256}`);
