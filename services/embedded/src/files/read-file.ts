import type { DuckDBConnection } from '@duckdb/node-api';
import { quotePath, quoteText } from '../sql-text.ts';
import type { DataFile } from './data-file.ts';
import { CsvExplanation } from './explain-csv.ts';
import { COLUMNS_MAX, type DataColumn, type FileReading, type ReadOutcome, TOO_WIDE } from './file-reading.ts';
import { JSON_DEPTH_MAX, JsonDepth } from './json-depth.ts';
import { headProblem, openText, readHead, Utf8Check } from './read-text.ts';
import { jsonOptions, readerSql, SNIFF_WHOLE_BYTES, STRICT_CSV } from './reader-sql.ts';

/**
 * Finds the columns of a file and how it is written. A file that is not large is read completely, any file with `isWhole`; of others the
 * first rows are read, and the rows are not counted.
 */
export async function readFile(
  connection: DuckDBConnection,
  file: DataFile,
  { isWhole = file.bytes <= SNIFF_WHOLE_BYTES }: { readonly isWhole?: boolean | undefined } = {},
): Promise<ReadOutcome> {
  if (file.bytes === 0) return { problem: EMPTY };
  try {
    if (file.format === 'parquet') return await readParquet(connection, file);
    return file.format === 'csv' ? await readCsv(connection, file, isWhole) : await readJson(connection, file, isWhole);
  } catch (thrown) {
    return { problem: (await explain(file, undefined).catch(() => undefined)) ?? engineMessage(thrown, file) };
  }
}

const EMPTY = 'is empty.';

type Row = readonly unknown[];

const rowsOf = async (connection: DuckDBConnection, sql: string): Promise<readonly Row[]> =>
  (await connection.runAndReadAll(sql)).getRowsJson() as Row[];

async function describe(connection: DuckDBConnection, from: string): Promise<readonly DataColumn[]> {
  const rows = await rowsOf(connection, `DESCRIBE FROM ${from}`);
  return rows.map(([name, type]) => ({ name: String(name), type: String(type) }));
}

const asOutcome = (reading: FileReading): ReadOutcome =>
  reading.columns.length > COLUMNS_MAX ? { problem: TOO_WIDE } : { reading };

async function readParquet(connection: DuckDBConnection, file: DataFile): Promise<ReadOutcome> {
  const columns = await describe(connection, readerSql({ files: [file], columns: [] }));
  const [row] = await rowsOf(connection, `SELECT sum(num_rows) FROM parquet_file_metadata(${quotePath(file.path)})`);
  return asOutcome({ columns, rows: Number(row?.[0] ?? 0) });
}

async function readJson(connection: DuckDBConnection, file: DataFile, isWhole: boolean): Promise<ReadOutcome> {
  if (await isNestedTooDeeply(file))
    return { problem: `is nested more than ${JSON_DEPTH_MAX.toLocaleString('en')} levels deep.` };
  const from = jsonSql(file, isWhole);
  const columns = await describe(connection, from);
  if (!isWhole) return asOutcome({ columns });
  const [row] = await rowsOf(connection, `SELECT count(*) FROM ${from}`);
  const needsWhole =
    file.bytes > SNIFF_WHOLE_BYTES &&
    JSON.stringify(await describe(connection, jsonSql(file, false))) !== JSON.stringify(columns);
  return asOutcome({ columns, rows: Number(row?.[0]), ...(needsWhole ? { needsWhole } : {}) });
}

/** DuckDB detects the columns in each statement: it changes names that are not unique or empty, so they cannot be given. */
const jsonSql = (file: DataFile, isWhole: boolean): string =>
  `read_json(${[quotePath(file.path), ...jsonOptions(file, isWhole), 'hive_partitioning = false'].join(', ')})`;

/** Returns whether the part of a JSON file that DuckDB reads to detect types has too many levels. */
async function isNestedTooDeeply(file: DataFile): Promise<boolean> {
  const depth = new JsonDepth();
  let bytes = 0;
  for await (const chunk of openText(file) ?? []) {
    for (const byte of chunk) if (depth.after(byte) > JSON_DEPTH_MAX) return true;
    bytes += chunk.length;
    if (bytes >= SNIFF_WHOLE_BYTES) return false;
  }
  return false;
}

/** Part of a CSV file that is searched for the end of its header. */
const HEADER_BYTES_MAX = 1024 * 1024;
const SEPARATORS = [',', ';', '\t', '|'] as const;

async function readCsv(connection: DuckDBConnection, file: DataFile, isWhole: boolean): Promise<ReadOutcome> {
  const head = await readHead(file, HEADER_BYTES_MAX);
  const problem = head === undefined ? undefined : head.length === 0 ? EMPTY : headProblem(head);
  if (problem !== undefined) return { problem };
  const counts = separatorCounts(head);
  if (counts.some((count) => count >= COLUMNS_MAX)) return { problem: TOO_WIDE };
  const isTabs = file.extension.startsWith('tsv');
  const found = await sniffCsv(connection, file, { isWhole, separator: isTabs ? '\t' : undefined }).catch(
    () => undefined,
  );
  const mostSeparators = Math.max(...counts);
  const wanted = isTabs ? '\t' : mostSeparators === 0 ? ',' : SEPARATORS[counts.indexOf(mostSeparators)];
  // DuckDB finds one column in a file whose rows do not have the same number of values with any separator.
  const isAmbiguous = found === undefined || (found.columns.length === 1 && found.csv?.separator !== wanted);
  try {
    const reading = isAmbiguous ? await sniffCsv(connection, file, { isWhole, separator: wanted }) : found;
    if (reading.columns.length === 1) {
      const title = await titleProblem(connection, file);
      if (title !== undefined) return { problem: title };
    }
    if (!isWhole) return asOutcome(reading);
    const { columns, csv } = reading;
    const [row] = await rowsOf(connection, `SELECT count(*) FROM ${readerSql({ files: [file], columns, csv })}`);
    return asOutcome({ ...reading, rows: Number(row?.[0]) });
  } catch (thrown) {
    return { problem: (await explain(file, wanted)) ?? engineMessage(thrown, file) };
  }
}

/** Returns the problem of a file that would have several columns without its first lines. DuckDB would skip them. */
async function titleProblem(connection: DuckDBConnection, file: DataFile): Promise<string | undefined> {
  const rows = await rowsOf(
    connection,
    `SELECT Delimiter FROM sniff_csv(${quotePath(file.path)}) WHERE SkipRows > 0 AND length(Columns) > 1`,
  ).catch(() => []);
  const separator = rows[0]?.[0];
  return separator === undefined ? undefined : explain(file, String(separator));
}

/** Counts each separator in the first line, outside quotes. */
function separatorCounts(head: Buffer | undefined): readonly number[] {
  const [line = ''] = (head ?? Buffer.alloc(0)).toString('latin1').split(/[\r\n]/, 1);
  const unquoted = line.replaceAll(/"(?:[^"]|"")*"/g, '');
  return SEPARATORS.map((separator) => unquoted.split(separator).length - 1);
}

async function sniffCsv(
  connection: DuckDBConnection,
  file: DataFile,
  { separator, isWhole }: { readonly separator: string | undefined; readonly isWhole: boolean },
): Promise<FileReading> {
  const options = [
    ...STRICT_CSV,
    ...(separator === undefined ? [] : [`delim = ${quoteText(separator)}`]),
    ...(isWhole ? ['sample_size = -1'] : []),
  ];
  const [row] = await rowsOf(
    connection,
    `SELECT Delimiter, HasHeader, DateFormat, TimestampFormat, Columns FROM sniff_csv(${[quotePath(file.path), ...options].join(', ')})`,
  );
  const [delimiter, hasHeader, dateFormat, timestampFormat, columns] = row ?? [];
  return {
    columns: columns as readonly DataColumn[],
    csv: {
      separator: separator ?? String(delimiter),
      hasHeader: hasHeader === true,
      dateFormat: dateFormat as string | null,
      timestampFormat: timestampFormat as string | null,
    },
  };
}

/** Returns why a text file cannot be read, in the words of its author; undefined if it looks right. */
async function explain(file: DataFile, separator: string | undefined): Promise<string | undefined> {
  if (file.format === 'parquet') return undefined;
  const head = await readHead(file, HEADER_BYTES_MAX);
  const problem = head === undefined ? undefined : headProblem(head);
  if (problem !== undefined) return problem;
  const check = separator === undefined ? new Utf8Check() : new CsvExplanation(separator);
  for await (const chunk of openText(file) ?? []) {
    const found = check.problemAfter(chunk);
    if (found !== undefined) return found;
  }
  return check.problemAtEnd();
}

/** Returns the first line of an engine's message, without folders of this machine. */
function engineMessage(thrown: unknown, { path, relativePath }: DataFile): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const [line = ''] = message.split('\n');
  return `cannot be read: ${line.replaceAll(path, relativePath)}`;
}
