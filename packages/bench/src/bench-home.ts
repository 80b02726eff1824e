import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { startSluice } from './sluice-process.ts';

/** Home folder of the bench. It is kept between runs, so that the demo data is created once. */
export const BENCH_HOME = '.sluice-bench';

/** One million rows with the 16 column types of TPC-H's lineitem, computed from row numbers, so that all runs have the same data. */
const LINEITEM = `
  CREATE TABLE vega.bench_lineitem AS SELECT
    (i // 4 + 1)::BIGINT AS l_orderkey, (hash(i) % 200000 + 1)::BIGINT AS l_partkey, (hash(i + 1) % 10000 + 1)::BIGINT AS l_suppkey,
    (i % 4 + 1)::INTEGER AS l_linenumber, (hash(i + 2) % 50 + 1)::DECIMAL(15,2) AS l_quantity,
    ((hash(i + 3) % 10000000) / 100)::DECIMAL(15,2) AS l_extendedprice, ((hash(i + 4) % 11) / 100)::DECIMAL(15,2) AS l_discount,
    ((hash(i + 5) % 9) / 100)::DECIMAL(15,2) AS l_tax, ['A', 'N', 'R'][(hash(i + 6) % 3 + 1)::BIGINT] AS l_returnflag,
    ['F', 'O'][(hash(i + 7) % 2 + 1)::BIGINT] AS l_linestatus, DATE '1992-01-01' + (hash(i + 8) % 2526)::INTEGER AS l_shipdate,
    DATE '1992-01-01' + (hash(i + 9) % 2526)::INTEGER AS l_commitdate, DATE '1992-01-01' + (hash(i + 10) % 2526)::INTEGER AS l_receiptdate,
    ['DELIVER IN PERSON', 'COLLECT COD', 'NONE', 'TAKE BACK RETURN'][(hash(i + 11) % 4 + 1)::BIGINT] AS l_shipinstruct,
    ['AIR', 'FOB', 'MAIL', 'RAIL', 'REG AIR', 'SHIP', 'TRUCK'][(hash(i + 12) % 7 + 1)::BIGINT] AS l_shipmode,
    substring(md5((i * 7)::VARCHAR), 1, (hash(i + 13) % 30 + 2)::INTEGER) AS l_comment
  FROM range(1000000) t(i)`;

/** Creates missing data in the home folder and returns the path of the database that the queries read. */
export async function prepareBenchHome(): Promise<string> {
  if (findDatabase() === undefined) await (await startSluice(BENCH_HOME))[Symbol.asyncDispose]();
  const database = findDatabase();
  if (database === undefined) throw new Error(`There is no demo database in ${BENCH_HOME}.`);
  await addLineitem(database);
  return database;
}

function findDatabase(): string | undefined {
  const folder = join(BENCH_HOME, 'demo');
  const name = existsSync(folder) ? readdirSync(folder).find((file) => file.endsWith('.duckdb')) : undefined;
  return name === undefined ? undefined : resolve(folder, name);
}

async function addLineitem(database: string): Promise<void> {
  const instance = await DuckDBInstance.create(database);
  const connection = await instance.connect();
  try {
    const found = await connection.runAndReadAll("SELECT 1 FROM duckdb_tables() WHERE table_name = 'bench_lineitem'");
    if (found.currentRowCount === 0) await connection.run(LINEITEM);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
