// Usage: make-catalog-main.js PATH TABLES COLUMNS. Creates a DuckDB file with this many empty tables, 1,000 in each schema, with this
// many columns each.
import { DuckDBInstance } from '@duckdb/node-api';

const TABLES_PER_SCHEMA = 1_000;
const STATEMENTS_AT_ONCE = 500;
const TYPES = ['BIGINT', 'VARCHAR', 'DECIMAL(12,2)', 'TIMESTAMP', 'DOUBLE', 'DATE', 'BOOLEAN', 'VARCHAR[]'];

const [path = '', ...numbers] = process.argv.slice(2);
const [tables = 0, columns = 0] = numbers.map(Number);
const instance = await DuckDBInstance.create(path);
const connection = await instance.connect();
await connection.run("SET wal_autocheckpoint = '1TB'"); // one checkpoint, at the end
const list = Array.from({ length: columns }, (_, index) => `column_${index} ${TYPES[index % TYPES.length]}`).join(', ');
for (let start = 0; start < tables; start += STATEMENTS_AT_ONCE) {
  const statements: string[] = [];
  for (let index = start; index < Math.min(start + STATEMENTS_AT_ONCE, tables); index += 1) {
    const schema = `schema_${String(Math.floor(index / TABLES_PER_SCHEMA)).padStart(3, '0')}`;
    if (index % TABLES_PER_SCHEMA === 0) statements.push(`CREATE SCHEMA ${schema}`);
    statements.push(`CREATE TABLE ${schema}.table_${String(index).padStart(6, '0')} (${list})`);
  }
  await connection.run(`BEGIN; ${statements.join('; ')}; COMMIT`);
}
connection.closeSync();
instance.closeSync();
