// Streams a query row by row.
import { basic, query } from './sluice.mjs';

const sql = `SELECT origin, count(*) AS flights, round(avg(delay), 1)::VARCHAR AS average_delay
             FROM flights GROUP BY origin ORDER BY flights DESC LIMIT 3`;
let rows = 0;
for await (const row of query(sql, basic('analyst@acme.example'))) {
  console.log(JSON.stringify(row));
  rows += 1;
}
console.log(`complete: ${rows} rows`);
