// Describes every table of the demo, in calls of 50 objects. Prints what failed.
import { randomUUID } from 'node:crypto';
import { API_URL, basic, login, query, send } from './sluice.mjs';

const headers = await login('steward@acme.example');
const objects = [];
const sql = `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'vega' ORDER BY 1`;
for await (const { name } of query(sql, basic('analyst@acme.example')))
  objects.push({ type: 'TABLE', id: `demo.vega."${name.replaceAll('"', '""')}"`, add_tags: ['demo'] });
let failed = 0;
for (let first = 0; first < objects.length; first += 50) {
  // The key makes it safe to send the same call again: it is applied once.
  const response = await send(
    `${API_URL}/metadata/import`,
    { ...headers, 'idempotency-key': randomUUID() },
    { metadata_objects: objects.slice(first, first + 50) },
  );
  for (const { id, success, error_message } of (await response.json()).metadata_results) {
    if (success) continue;
    failed += 1;
    console.error(`${id}: ${error_message}`);
  }
}
console.log(`${objects.length - failed} described, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
