import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BENCH_HOME } from '../bench-home.ts';
import type { Finding } from '../report.ts';
import { startSluice } from '../sluice-process.ts';
import { median } from '../statistics.ts';
import { type JdbcDriver, type JdbcTarget, measureJdbc } from '../trino/measure-jdbc.ts';

interface ColumnsOptions {
  readonly driver: JdbcDriver;
  readonly account: Pick<JdbcTarget, 'user' | 'password'>;
  readonly rounds: number;
  readonly print: (line: string) => void;
}

const MAKE_CATALOG = fileURLToPath(new URL('../make-catalog-main.js', import.meta.url));
const TABLES = 1_000;
const COLUMNS = 20;
const READINGS = 5;
const LIMIT_MS = 1_000;
const HARVEST_TRIES = 120;
const HARVEST_TRY_MS = 1_000;

/** The statement of `DatabaseMetaData.getColumns` in trino-jdbc, for one schema. */
const GET_COLUMNS = `SELECT TABLE_CAT, TABLE_SCHEM, TABLE_NAME, COLUMN_NAME, DATA_TYPE, TYPE_NAME, COLUMN_SIZE, BUFFER_LENGTH, DECIMAL_DIGITS,
  NUM_PREC_RADIX, NULLABLE, REMARKS, COLUMN_DEF, SQL_DATA_TYPE, SQL_DATETIME_SUB, CHAR_OCTET_LENGTH, ORDINAL_POSITION, IS_NULLABLE,
  SCOPE_CATALOG, SCOPE_SCHEMA, SCOPE_TABLE, SOURCE_DATA_TYPE, IS_AUTOINCREMENT, IS_GENERATEDCOLUMN
FROM system.jdbc.columns
WHERE TABLE_CAT = 'wide' AND TABLE_SCHEM LIKE 'schema\\_000' ESCAPE '\\'
ORDER BY TABLE_CAT, TABLE_SCHEM, TABLE_NAME, ORDINAL_POSITION`;

/** Measures how long a BI tool waits for the columns of a schema of 1,000 tables, which it asks for before it shows any. */
export async function measureColumns({ driver, account, rounds, print }: ColumnsOptions): Promise<readonly Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-columns-'));
  try {
    const path = join(folder, 'wide.duckdb');
    await promisify(execFile)(process.execPath, [MAKE_CATALOG, path, String(TABLES), String(COLUMNS)]);
    await using sluice = await startSluice(BENCH_HOME, { TRINO_DOOR: 'true', DUCKDB_CATALOGS: `wide=${path}` });
    const { streamTlsPort, certificatePath } = sluice;
    const target = { ...account, address: `localhost:${streamTlsPort}`, certificatePath };
    await untilHarvested(driver, target);
    const times: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      times.push((await measureJdbc(driver, target, { sql: GET_COLUMNS, readings: READINGS })).ms);
      print(`  round ${round}: ${times.at(-1)?.toFixed(0)} ms`);
    }
    return [
      {
        name: `Door, getColumns by JDBC ${driver.version}, ${TABLES} tables of ${COLUMNS} columns`,
        measured: median(times),
        unit: 'ms',
        floor: LIMIT_MS,
        goal: LIMIT_MS / 2,
        better: 'lower',
        detail: `mean of ${READINGS} in each round`,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Waits until the door lists all columns. */
async function untilHarvested(driver: JdbcDriver, target: JdbcTarget): Promise<void> {
  for (let tries = 0; tries < HARVEST_TRIES; tries += 1) {
    const { rows } = await measureJdbc(driver, target, { sql: GET_COLUMNS });
    if (rows === TABLES * COLUMNS) return;
    await wait(HARVEST_TRY_MS);
  }
  throw new Error('The generated catalog was not harvested.');
}
