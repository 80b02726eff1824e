import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName, quotePath } from '../sql-text.ts';
import { startFailure } from '../start-failure.ts';
import { countRows } from './count-rows.ts';
import { type DemoFormat, type DemoPackage, type DemoTable, readDemoPackage } from './demo-table.ts';

interface Column {
  readonly name: string;
  readonly type: string;
}

/** Date formats of the package's files, besides ISO 8601. */
const DATE_FORMATS = `['%Y/%m/%d %H:%M', '%b %d %Y', '%m/%d/%Y']`;

interface Conversion {
  /** SQL condition that is true for every string that converts without loss. */
  readonly fits: (column: string) => string;
  readonly convert: (column: string) => string;
}

const asTime = (type: 'DATE' | 'TIMESTAMP'): Conversion => ({
  fits: (column) => `try_strptime(${column}, ${DATE_FORMATS}) IS NOT NULL`,
  convert: (column) => `CAST(strptime(${column}, ${DATE_FORMATS}) AS ${type})`,
});

/** Conversions of text columns by declared type. A number with a leading zero is a code (a ZIP code) and stays text. */
const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  date: asTime('DATE'),
  datetime: asTime('TIMESTAMP'),
  integer: {
    fits: (column) => `regexp_full_match(${column}, '-?(0|[1-9][0-9]{0,17})')`,
    convert: (column) => `CAST(${column} AS BIGINT)`,
  },
};

/**
 * Returns the select list that converts the columns of a freshly read table. The types that DuckDB detects are kept, except that
 * JSON (a column that mixes numbers and text) becomes text, HUGEINT (detected for any negative integer in JSON) becomes BIGINT, and
 * text becomes its declared type when every value converts without loss.
 */
async function selectWithTypes(
  connection: DuckDBConnection,
  table: string,
  declaredTypes: ReadonlyMap<string, string>,
): Promise<string> {
  const parts: string[] = [];
  for (const column of await columnsOf(connection, table)) {
    const name = quoteName(column.name);
    const expression = await expressionOf(connection, {
      table,
      column,
      declared: declaredTypes.get(column.name) ?? '',
    });
    parts.push(expression === name ? name : `${expression} AS ${name}`);
  }
  return parts.join(', ');
}

const columnsOf = async (connection: DuckDBConnection, table: string): Promise<Column[]> => {
  const result = await connection.runAndReadAll(`DESCRIBE ${table}`);
  return result.getRowsJson().map((row) => ({ name: String(row[0]), type: String(row[1]) }));
};

interface Candidate {
  readonly table: string;
  readonly column: Column;
  readonly declared: string;
}

const expressionOf = async (connection: DuckDBConnection, candidate: Candidate): Promise<string> => {
  const name = quoteName(candidate.column.name);
  if (candidate.column.type === 'JSON') return `${name} ->> '$'`;
  if (candidate.column.type === 'HUGEINT') return `CAST(${name} AS BIGINT)`;
  const conversion = candidate.column.type === 'VARCHAR' ? CONVERSIONS[candidate.declared] : undefined;
  if (conversion === undefined) return name;
  const misfits = `SELECT count(*) FROM ${candidate.table} WHERE ${name} IS NOT NULL AND NOT ${conversion.fits(name)}`;
  const result = await connection.runAndReadAll(misfits);
  return Number(result.getRowsJson()[0]?.[0]) === 0 ? conversion.convert(name) : name;
};

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
async function makeDemoTable(connection: DuckDBConnection, table: DemoTable): Promise<number> {
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

interface DemoDataSettings {
  /** Folder for the demo data alone: everything in it except this version's file is deleted. */
  readonly folder: string;
  readonly announce: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Raise it when the choice of tables or their types change, so that existing homes rebuild their data. */
const RULES_VERSION = 1;
const PROGRESS_EVERY = 15;

/**
 * Creates the demo's DuckDB database (schema `vega`) from the npm package at the first start. It is written under a temporary name
 * and renamed after its rows were counted: a file with the final name is a complete database.
 * @returns its path
 */
export async function ensureDemoData(settings: DemoDataSettings): Promise<string> {
  const demo = await readDemoPackage();
  const path = join(settings.folder, `vega-${demo.version}-${RULES_VERSION}.duckdb`);
  if (await exists(path)) return path;
  const unfinished = `${path}.new`;
  try {
    await emptyFolder(dirname(path));
    settings.announce(`Creating the demo data: ${demo.tables.length} tables (first start only, about ten seconds) ...`);
    const rows = await makeDatabase(demo, unfinished, settings);
    await rename(unfinished, path);
    settings.announce(`Created the demo data: ${demo.tables.length} tables, ${rows.toLocaleString('en')} rows.`);
    return path;
  } catch (thrown) {
    await emptyFolder(dirname(path)).catch(() => undefined);
    settings.signal.throwIfAborted();
    throw startFailure(`The demo data could not be created in ${settings.folder}`, thrown);
  }
}

const makeDatabase = async (demo: DemoPackage, path: string, settings: DemoDataSettings): Promise<number> => {
  // DuckDB neither uses its home folder nor downloads anything: the needed extensions are built in.
  const options = { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false', memory_limit: '1GB' };
  // Loaded only here: a start in an existing home needs no DuckDB in this process.
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(path, options);
  const connection = await instance.connect();
  const interrupt = () => connection.interrupt();
  settings.signal.addEventListener('abort', interrupt);
  try {
    return await makeTables(connection, demo, settings);
  } finally {
    settings.signal.removeEventListener('abort', interrupt);
    connection.closeSync();
    // Closing writes the WAL into the database file, so that this one file can be opened read-only.
    instance.closeSync();
  }
};

const makeTables = async (
  connection: DuckDBConnection,
  demo: DemoPackage,
  settings: DemoDataSettings,
): Promise<number> => {
  await connection.run('CREATE SCHEMA vega');
  let rows = 0;
  for (const [index, table] of demo.tables.entries()) {
    settings.signal.throwIfAborted();
    rows += await makeDemoTable(connection, table);
    const made = index + 1;
    if (made % PROGRESS_EVERY === 0) settings.announce(`  ${made} of ${demo.tables.length} tables`);
  }
  await connection.run('CHECKPOINT');
  return rows;
};

const emptyFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await Promise.all((await readdir(folder)).map((name) => rm(join(folder, name), { recursive: true, force: true })));
};

const exists = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
