// Captures ten pages of a result of a real Trino into trino-pages.json, for the tests that must not depend on one.
//
//   node packages/engine/testing/captured/capture-pages.mjs http://127.0.0.1:28090
//
// The Trino needs the catalog `tpch`. Pages are kept as it sent them, byte for byte. How many rows each has differs from run to run.
import { writeFileSync } from 'node:fs';

const PAGES = 10;
const ATTEMPTS = 5;
const RANGES = 24;
const KEYS_EACH = 40;
/** Parts of a result are pages of their own, and are not merged into larger ones. */
const SESSION = 'filter_and_project_min_output_page_row_count=0,filter_and_project_min_output_page_size=0B';

/** Values that are hard to carry: NULL, NaN, infinity, more digits than a double has, nanoseconds, line ends, quotes, nested values. */
const COLUMNS = `o_orderkey AS k, IF(o_orderkey % 5 = 0, NULL, o_comment || chr(10) || '"é😀,') AS text,
  CAST(o_totalprice AS decimal(12,2)) AS price,
  CASE o_orderkey % 4 WHEN 0 THEN nan() WHEN 1 THEN -infinity() ELSE o_totalprice / 3 END AS ratio,
  CAST(o_orderkey AS decimal(38,0)) * DECIMAL '90071992547409930000000' AS big, o_orderdate AS day,
  from_unixtime_nanos(o_orderkey * 1000000007) AS instant, CAST(o_orderkey AS real) / 7 AS small, to_utf8(o_clerk) AS bytes,
  o_orderkey % 2 = 0 AS even, JSON '{"a": 1.50}' AS document,
  ARRAY[ROW(o_orderkey, CAST(1.50 AS decimal(4,2)), MAP(ARRAY['a "b"'], ARRAY[ARRAY[INTERVAL '1' DAY]]))] AS nested`;
/** Parts that Trino computes at the same time, so that it has many small pages. */
const SQL = Array.from(
  { length: RANGES },
  (_, range) =>
    `SELECT ${COLUMNS} FROM tpch.tiny.orders WHERE o_orderkey BETWEEN ${range * 1_000} AND ${range * 1_000 + KEYS_EACH}`,
).join('\nUNION ALL ');

/** Returns the text of `data` in a page, as Trino sent it. */
function dataOf(text) {
  const begin = text.indexOf('"data":') + '"data":'.length;
  const end = text.indexOf(',"stats":', begin);
  return text.slice(begin, end);
}

async function capture(url) {
  const headers = { 'x-trino-user': 'capture', 'x-trino-time-zone': 'UTC', 'x-trino-session': SESSION };
  let response = await fetch(`${url}/v1/statement`, { method: 'POST', body: SQL, headers });
  const pages = [];
  for (;;) {
    const text = await response.text();
    const { error, columns, data, nextUri } = JSON.parse(text);
    if (error !== undefined) throw new Error(error.message);
    if (data?.length > 0) pages.push({ columns, rows: data.length, text: dataOf(text) });
    if (nextUri === undefined) return pages;
    // As few rows as possible at once.
    response = await fetch(`${nextUri}?targetResultSize=1B`);
  }
}

const [url] = process.argv.slice(2);
if (url === undefined) throw new Error('Pass the address of a Trino, such as http://127.0.0.1:28090.');
let pages = [];
for (let attempt = 0; attempt < ATTEMPTS && pages.length < PAGES; attempt += 1) pages = await capture(url);
if (pages.length < PAGES) throw new Error(`Trino sent ${pages.length} pages, fewer than ${PAGES}. Run this again.`);
const taken = pages.slice(0, PAGES);
for (const { text } of taken) JSON.parse(text);
const { nodeVersion } = await (await fetch(`${url}/v1/info`)).json();
const captured = {
  version: nodeVersion.version,
  columns: taken[0].columns,
  rows: taken.map(({ rows }) => rows),
  pages: taken.map(({ text }) => text),
};
writeFileSync(new URL('trino-pages.json', import.meta.url), `${JSON.stringify(captured, undefined, 2)}\n`);
process.stdout.write(`${taken.length} pages, ${taken.reduce((sum, { rows }) => sum + rows, 0)} rows\n`);
