import { rename, rm } from 'node:fs/promises';
import { startFailure } from '../start-failure.ts';
import { findDataFiles } from './find-data-files.ts';
import { type NamedFile, nameViews } from './name-views.ts';
import { startViewCreator } from './view-creator.ts';

interface FilesCatalogSettings {
  /** SLUICE_DATA_DIR. It is never written to. */
  readonly dataFolder: string;
  /** Path of the DuckDB database to create. It contains views only. */
  readonly path: string;
  readonly announce: (line: string) => void;
  /** Ends the work. */
  readonly signal: AbortSignal;
}

/** Time limit for one file. It also ends the wait for a pipe that has taken the place of a file. */
const FILE_SECONDS_MAX = 60;

/**
 * Creates the database whose views read the files of a folder. It is rebuilt at every start because files are added and removed. A
 * file that cannot be read in the format of its extension is skipped and announced, so that the other files are still served. Other
 * processes read the files, because DuckDB can crash on one.
 * @throws StartFailure when the folder cannot be read or the database cannot be written
 */
export async function createFilesCatalog(settings: FilesCatalogSettings): Promise<void> {
  const named = nameViews(await findDataFiles(settings.dataFolder));
  const unfinished = `${settings.path}.new`;
  try {
    await removeDatabase(unfinished);
    const made = await createViews(named, unfinished, settings);
    await rename(unfinished, settings.path);
    settings.announce(
      `Serving ${made} file${made === 1 ? '' : 's'} of ${settings.dataFolder} as views in the catalog files.`,
    );
  } catch (thrown) {
    await removeDatabase(unfinished);
    settings.signal.throwIfAborted();
    throw startFailure(`The catalog of ${settings.dataFolder} could not be created`, thrown);
  }
}

/** Removes a database with the log of changes that a process which ended has left. */
const removeDatabase = async (path: string): Promise<void> => {
  await Promise.all([path, `${path}.wal`].map((file) => rm(file, { force: true })));
};

/** Creates the views in processes of their own. One that ends on a file is followed by another for the files after it. */
const createViews = async (
  named: readonly NamedFile[],
  path: string,
  { announce, signal }: FilesCatalogSettings,
): Promise<number> => {
  let creator = await startViewCreator(path, signal);
  let created = 0;
  try {
    for (const one of named) {
      if (creator.hasEnded) creator = await startViewCreator(path, signal);
      const problem = await creator.create(one, FILE_SECONDS_MAX);
      signal.throwIfAborted();
      if (problem === undefined) created += 1;
      else announce(`Skipped ${one.file.relativePath}: ${problem}`);
    }
    if (creator.hasEnded) creator = await startViewCreator(path, signal);
    await creator.save();
  } finally {
    await creator[Symbol.asyncDispose]();
  }
  return created;
};
