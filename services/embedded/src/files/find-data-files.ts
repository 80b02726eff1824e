import { readdir, realpath, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { StartFailure, startFailure, systemCode } from '../start-failure.ts';

export interface DataFile {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** Relative to the folder: `sales/2024.csv`. */
  readonly relativePath: string;
  readonly extension: string;
  readonly bytes: number;
}

const DATA_EXTENSIONS: ReadonlySet<string> = new Set(['.parquet', '.csv', '.tsv', '.json', '.ndjson']);
/** A folder with more files is probably a home folder or a disk, set by mistake. */
const FILES_MAX = 10_000;

/**
 * Finds all data files under a folder, sorted by name. Hidden files and folders are skipped, and so are symbolic links that lead
 * out of the folder: only its own content may be served.
 */
export async function findDataFiles(folder: string): Promise<DataFile[]> {
  try {
    const root = await realpath(folder);
    if (!(await stat(root)).isDirectory()) throw new StartFailure(`SLUICE_DATA_DIR is not a folder: ${folder}.`);
    return await walk(root, root);
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') {
      throw new StartFailure(`SLUICE_DATA_DIR names a folder that does not exist: ${folder}.`, thrown);
    }
    throw startFailure(`SLUICE_DATA_DIR (${folder}) cannot be read`, thrown);
  }
}

const walk = async (root: string, folder: string): Promise<DataFile[]> => {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  const found: DataFile[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await walk(root, path)));
    else found.push(...(await asDataFile(root, path)));
    if (found.length > FILES_MAX)
      throw new StartFailure(`SLUICE_DATA_DIR (${root}) has more than ${FILES_MAX} data files.`);
  }
  return found;
};

const asDataFile = async (root: string, path: string): Promise<DataFile[]> => {
  const extension = extname(path).toLowerCase();
  if (!DATA_EXTENSIONS.has(extension)) return [];
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined || !real.startsWith(root + sep)) return [];
  const found = await stat(real);
  if (!found.isFile()) return [];
  return [{ path: real, relativePath: relative(root, path), extension, bytes: found.size }];
};
