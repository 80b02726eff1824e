import { rename, rm } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName, quotePath } from '../sql-text.ts';
import { startFailure } from '../start-failure.ts';
import { type DataFile, findDataFiles } from './find-data-files.ts';
import { type NamedFile, nameViews } from './name-views.ts';

interface FilesCatalogSettings {
  /** SLUICE_DATA_DIR. It is never written to. */
  readonly dataFolder: string;
  /** Path of the DuckDB database to create. It contains views only. */
  readonly path: string;
  readonly announce: (line: string) => void;
}

/** DuckDB scans files up to this size completely to detect types, and the first 20,480 rows of larger ones. */
const SNIFF_WHOLE_BYTES = 16 * 1024 * 1024;

/**
 * Creates the database whose views read the files of a folder. It is rebuilt at every start because files are added and removed. A
 * file that cannot be read in the format of its extension is skipped and announced, so that the other files are still served.
 * @throws StartFailure when the folder cannot be read or the database cannot be written
 */
export async function createFilesCatalog(settings: FilesCatalogSettings): Promise<void> {
  const named = nameViews(await findDataFiles(settings.dataFolder));
  const unfinished = `${settings.path}.new`;
  try {
    await rm(unfinished, { force: true });
    const made = await makeViews(named, unfinished, settings);
    await rename(unfinished, settings.path);
    settings.announce(
      `Serving ${made} file${made === 1 ? '' : 's'} of ${settings.dataFolder} as views in the catalog files.`,
    );
  } catch (thrown) {
    await rm(unfinished, { force: true });
    throw startFailure(`The catalog of ${settings.dataFolder} could not be created`, thrown);
  }
}

const makeViews = async (
  named: readonly NamedFile[],
  path: string,
  settings: FilesCatalogSettings,
): Promise<number> => {
  const options = { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' };
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(path, options);
  const connection = await instance.connect();
  let made = 0;
  try {
    for (const one of named) {
      const problem = await makeView(connection, one);
      if (problem === undefined) made += 1;
      else settings.announce(`Skipped ${one.file.relativePath}: ${problem}`);
    }
    await connection.run('CHECKPOINT');
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  return made;
};

/** Creates a view. Returns the first line of the engine's message when that fails. */
const makeView = async (
  connection: DuckDBConnection,
  { schema, view, file }: NamedFile,
): Promise<string | undefined> => {
  try {
    await connection.run(`CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)}`);
    await connection.run(`CREATE VIEW ${quoteName(schema)}.${quoteName(view)} AS FROM ${readerOf(file)}`);
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message.split('\n')[0] : String(thrown);
  }
};

const readerOf = (file: DataFile): string => {
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
};
