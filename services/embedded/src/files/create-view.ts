import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName, quotePath } from '../sql-text.ts';
import { COLUMNS_MAX, hasWideHeader, isWide } from './column-limit.ts';
import type { DataFile } from './find-data-files.ts';
import { isNestedTooDeeply, JSON_DEPTH_MAX } from './json-depth.ts';
import type { NamedFile } from './name-views.ts';

/** DuckDB scans files up to this size completely to detect types, and the first 20,480 rows of larger ones. */
const SNIFF_WHOLE_BYTES = 16 * 1024 * 1024;
const JSON_EXTENSIONS: ReadonlySet<string> = new Set(['.json', '.ndjson']);
const CSV_EXTENSIONS: ReadonlySet<string> = new Set(['.csv', '.tsv']);
const TOO_WIDE = `it has more than ${COLUMNS_MAX.toLocaleString('en')} columns.`;

/** Creates the view of a file. Returns why there is none when that fails, for example the first line of the engine's message. */
export async function createView(connection: DuckDBConnection, named: NamedFile): Promise<string | undefined> {
  const { schema, view, file } = named;
  const name = `${quoteName(schema)}.${quoteName(view)}`;
  try {
    if (JSON_EXTENSIONS.has(file.extension) && (await isNestedTooDeeply(file.path, SNIFF_WHOLE_BYTES)))
      return `it is nested more than ${JSON_DEPTH_MAX.toLocaleString('en')} levels deep.`;
    if (CSV_EXTENSIONS.has(file.extension) && (await hasWideHeader(file.path))) return TOO_WIDE;
    await connection.run(`CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)}`);
    await connection.run(`CREATE VIEW ${name} AS FROM ${readerOf(file)}`);
    if (!(await isWide(connection, named))) return undefined;
    await connection.run(`DROP VIEW ${name}`);
    return TOO_WIDE;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message.split('\n')[0] : String(thrown);
  }
}

function readerOf(file: DataFile): string {
  const path = quotePath(file.path);
  const sample = file.bytes <= SNIFF_WHOLE_BYTES ? ', sample_size = -1' : '';
  switch (file.extension) {
    case '.parquet':
      return `read_parquet(${path})`;
    case '.tsv':
      return `read_csv(${path}, delim = '\t'${sample})`;
    case '.ndjson':
      return `read_json(${path}, format = 'newline_delimited'${sample})`;
    case '.json':
      return `read_json(${path}${sample})`;
    default:
      return `read_csv(${path}${sample})`;
  }
}
