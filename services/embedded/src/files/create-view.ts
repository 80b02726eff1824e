import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName, quotePath } from '../sql-text.ts';
import type { DataFile } from './find-data-files.ts';
import type { NamedFile } from './name-views.ts';

/** Columns of a served file. The time that DuckDB takes to plan any statement on a file grows with the square of their number. */
const COLUMNS_MAX = 10_000;

/** Part of a CSV file that is searched for the end of its header. */
const HEADER_BYTES_MAX = 1024 * 1024;
const DELIMITERS = [',', ';', '\t', '|'] as const;

/** Returns whether the header of a CSV file has more delimiters than a file may have columns. DuckDB would take minutes to read it. */
async function hasWideHeader(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES_MAX), 0, HEADER_BYTES_MAX, 0);
  const [header = ''] = buffer.toString('latin1', 0, bytesRead).split(/[\r\n]/, 1);
  return DELIMITERS.some((delimiter) => header.split(delimiter).length > COLUMNS_MAX);
}

/** Returns whether a view of the database has more columns than a file may have. */
async function isWide(connection: DuckDBConnection, { schema, view }: NamedFile): Promise<boolean> {
  const reader = await connection.runAndReadAll(
    'SELECT count(*) > $max FROM duckdb_columns() WHERE database_name = current_database() AND schema_name = $schema AND table_name = $view',
    { max: COLUMNS_MAX, schema, view },
  );
  return reader.getRows()[0]?.[0] === true;
}

/** Levels of lists and objects in a JSON file that is served. DuckDB detects types by recursion: 100,000 levels end its process. */
const JSON_DEPTH_MAX = 1_000;

const [QUOTE, BACKSLASH] = Buffer.from('"\\');
const OPENING: ReadonlySet<number | undefined> = new Set(Buffer.from('[{'));
const CLOSING: ReadonlySet<number | undefined> = new Set(Buffer.from(']}'));

/** Returns whether the first bytes of a JSON file have more than `JSON_DEPTH_MAX` levels. */
async function isNestedTooDeeply(path: string, bytesMax: number): Promise<boolean> {
  const depth = new JsonDepth();
  for await (const chunk of createReadStream(path, { end: bytesMax - 1 }) as AsyncIterable<Buffer>) {
    for (const byte of chunk) if (depth.after(byte) > JSON_DEPTH_MAX) return true;
  }
  return false;
}

class JsonDepth {
  #depth = 0;
  #isText = false;
  #isEscaped = false;

  /** Returns the number of open lists and objects after the next byte. */
  after(byte: number): number {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isText) {
      this.#isEscaped = byte === BACKSLASH;
      this.#isText = byte !== QUOTE;
    } else if (byte === QUOTE) this.#isText = true;
    else if (OPENING.has(byte)) this.#depth += 1;
    else if (CLOSING.has(byte)) this.#depth -= 1;
    return this.#depth;
  }
}

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
