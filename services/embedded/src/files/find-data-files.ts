import type { Dirent, Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { StartFailure, startFailure, systemCode } from '../start-failure.ts';
import { type DataFile, kindOfFile, type RejectedFile } from './data-file.ts';

/** Files of a folder, each list sorted by path. */
export interface FoundFiles {
  readonly files: readonly DataFile[];
  readonly rejected: readonly RejectedFile[];
}

/** A folder with more files is probably a home folder or a disk, set by mistake. */
const FILES_MAX = 10_000;

/**
 * Finds all data files under a folder. Hidden files and folders are skipped. Symbolic links that lead out of the folder are rejected,
 * because only its own content may be served, and so are pipes and devices.
 */
export async function findDataFiles(folder: string): Promise<FoundFiles> {
  try {
    const root = await realpath(folder);
    if (!(await stat(root)).isDirectory()) throw new StartFailure(`SLUICE_DATA_DIR is not a folder: ${folder}.`);
    const search: Search = { root, files: [], rejected: [] };
    await walk(search, root);
    return { files: search.files.sort(byPath), rejected: search.rejected.sort(byPath) };
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') {
      throw new StartFailure(`SLUICE_DATA_DIR names a folder that does not exist: ${folder}.`, thrown);
    }
    throw startFailure(`SLUICE_DATA_DIR (${folder}) cannot be read`, thrown);
  }
}

interface Search {
  readonly root: string;
  readonly files: DataFile[];
  readonly rejected: RejectedFile[];
}

const byPath = (one: { readonly relativePath: string }, other: { readonly relativePath: string }): number =>
  one.relativePath < other.relativePath ? -1 : 1;

async function walk(search: Search, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    // A folder may go while this looks for its files.
    if (entry.isDirectory()) await walk(search, path).catch(ignoreMissing);
    else await addFile(search, path, entry).catch(ignoreMissing);
    if (search.files.length + search.rejected.length > FILES_MAX)
      throw new StartFailure(
        `SLUICE_DATA_DIR (${search.root}) has more than ${FILES_MAX.toLocaleString('en')} data files.`,
      );
  }
}

function ignoreMissing(thrown: unknown): void {
  if (systemCode(thrown) !== 'ENOENT') throw thrown;
}

async function addFile({ root, files, rejected }: Search, path: string, entry: Dirent): Promise<void> {
  const kind = kindOfFile(entry.name);
  if (kind === undefined) return;
  const relativePath = relative(root, path).split(sep).join('/');
  const reject = (problem: string, found?: Stats): void =>
    void rejected.push({ relativePath, bytes: found?.size ?? 0, modifiedMs: found?.mtimeMs ?? 0, problem });
  // Only a link can lead elsewhere: the path of the folder has none.
  const real = entry.isSymbolicLink() ? await realpath(path).catch(() => undefined) : path;
  if (real === undefined) return reject('is a link to nothing.');
  if (!real.startsWith(root + sep)) return reject('is a link that leads out of the folder, so it is not read.');
  const found = await stat(real);
  if (!found.isFile()) return reject('is not a regular file, so it is not read.');
  if ('problem' in kind) return reject(kind.problem, found);
  const { size: bytes, mtimeMs: modifiedMs, ctimeMs, ino } = found;
  files.push({
    ...kind,
    path: real,
    relativePath,
    bytes,
    modifiedMs,
    stamp: [ino, bytes, modifiedMs, ctimeMs].join(' '),
  });
}
