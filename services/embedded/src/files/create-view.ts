import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName, quotePath } from '../sql-text.ts';
import type { DataFile } from './find-data-files.ts';
import { isNestedTooDeeply, JSON_DEPTH_MAX } from './json-depth.ts';
import type { NamedFile } from './name-views.ts';

/** DuckDB scans files up to this size completely to detect types, and the first 20,480 rows of larger ones. */
const SNIFF_WHOLE_BYTES = 16 * 1024 * 1024;
const JSON_EXTENSIONS: ReadonlySet<string> = new Set(['.json', '.ndjson']);

/** Creates the view of a file. Returns why there is none when that fails, for example the first line of the engine's message. */
export async function createView(
  connection: DuckDBConnection,
  { schema, view, file }: NamedFile,
): Promise<string | undefined> {
  try {
    if (JSON_EXTENSIONS.has(file.extension) && (await isNestedTooDeeply(file.path, SNIFF_WHOLE_BYTES)))
      return `it is nested more than ${JSON_DEPTH_MAX.toLocaleString('en')} levels deep.`;
    await connection.run(`CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)}`);
    await connection.run(`CREATE VIEW ${quoteName(schema)}.${quoteName(view)} AS FROM ${readerOf(file)}`);
    return undefined;
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
