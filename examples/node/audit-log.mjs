// Counts the actions of the last hour, page by page.
import { API_URL, login, send } from './sluice.mjs';

const headers = await login('auditor@acme.example');
const counts = new Map();
let read = 0;
let page = await (
  await send(`${API_URL}/audits/logs/search`, headers, { size: 20, start: Date.now() - 3_600_000 })
).json();
for (;;) {
  for (const { action } of page.data) counts.set(action, (counts.get(action) ?? 0) + 1);
  read += page.data.length;
  if (page.next_page_token === undefined) break;
  page = await (await send(`${API_URL}/audits/logs/search?page_token=${page.next_page_token}`, headers)).json();
}
for (const [action, count] of [...counts].sort()) console.log(action, count);
console.log(`${read} of ${page.total} records`);
