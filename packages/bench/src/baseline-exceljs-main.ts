// Usage: baseline-exceljs-main.js DATABASE SQL ROWS_MAX. Writes DuckDB's rows to a workbook with exceljs' streaming writer and prints
// the time it took: the baseline of our own writer, without HTTP, another process or a receipt.
import { createWriteStream } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import exceljs from 'exceljs';

const [databaseFile = '', sql = '', rowsMax = '0'] = process.argv.slice(2);
const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
const connection = await instance.connect();
await connection.run(`ATTACH '${databaseFile.replaceAll("'", "''")}' AS demo (READ_ONLY)`);
await connection.run('USE demo.vega');
const start = performance.now();
const cpu = process.cpuUsage();
const workbook = new exceljs.stream.xlsx.WorkbookWriter({
  stream: createWriteStream('/dev/null'),
  useStyles: false,
  useSharedStrings: false,
  zip: { zlib: { level: 1 } },
});
const sheet = workbook.addWorksheet('rows');
const result = await connection.stream(`SELECT * FROM (${sql}) LIMIT ${rowsMax}`);
let rows = 0;
for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
  for (const values of chunk.convertRows(plainValue)) {
    sheet.addRow(values).commit();
    rows += 1;
  }
}
sheet.commit();
await workbook.commit();
const { user, system } = process.cpuUsage(cpu);
const ms = performance.now() - start;
process.stdout.write(JSON.stringify({ ms, cpuSeconds: (user + system) / 1e6, rows }));

/** Converts a DuckDB value to one that exceljs accepts: dates as Date, other special types as text. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value === null || typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean')
    return value;
  if (typeof value === 'object' && 'days' in value) return new Date(Number(value.days) * 86_400_000);
  if (typeof value === 'object' && 'toDouble' in value) return Number(String(value));
  return String(value);
}
