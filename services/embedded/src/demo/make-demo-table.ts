import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName, quotePath } from '../sql-text.ts';
import { selectWithTypes } from './column-types.ts';
import { countRows } from './count-rows.ts';
import type { DemoFormat, DemoTable } from './demo-table.ts';

/** Each reader scans the whole file to detect types: a number in row 20,481 must not fail the table. */
const SOURCES: Readonly<Record<DemoFormat, (path: string) => string>> = {
  csv: (path) => `FROM read_csv(${path}, header = true, sample_size = -1)`,
  tsv: (path) => `FROM read_csv(${path}, header = true, delim = '\t', sample_size = -1)`,
  json: (path) => `FROM read_json(${path}, format = 'array', sample_size = -1)`,
  parquet: (path) => `FROM read_parquet(${path})`,
  geojson: (path) =>
    `SELECT * EXCLUDE (type, properties, geometry), unnest(properties), geometry
     FROM (SELECT unnest(features, max_depth := 2) FROM read_json(${path}, sample_size = -1))`,
};

const RAW = 'temp.raw';

/** Creates one table in the schema `vega` and returns its number of rows. Throws when the file has a different number. */
export async function makeDemoTable(connection: DuckDBConnection, table: DemoTable): Promise<number> {
  const target = `vega.${quoteName(table.name)}`;
  const source = SOURCES[table.format](quotePath(table.file));
  if (table.format === 'parquet') {
    // The file declares its types.
    await connection.run(`CREATE TABLE ${target} AS ${source}`);
  } else {
    await connection.run(`CREATE OR REPLACE TEMP TABLE raw AS ${source}`);
    const columns = await selectWithTypes(connection, RAW, table.declaredTypes);
    await connection.run(`CREATE TABLE ${target} AS SELECT ${columns} FROM ${RAW}`);
    await connection.run(`DROP TABLE ${RAW}`);
  }
  const result = await connection.runAndReadAll(`SELECT count(*) FROM ${target}`);
  const made = Number(result.getRowsJson()[0]?.[0]);
  const held = await countRows(connection, table);
  if (made !== held) throw new Error(`table ${table.name} has ${made} rows, but its file has ${held}`);
  return made;
}
