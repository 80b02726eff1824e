import { mkdir, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { startFailure, systemCode } from '../start-failure.ts';
import { lockHome } from './home-lock.ts';

/**
 * Creates a folder and its missing parents. Returns the first one that was created, or undefined when all existed. Node's own
 * recursive mkdir retries forever on a file system that returns ENOENT for every new name, as /proc does.
 */
async function makeFolders(path: string, mode: number): Promise<string | undefined> {
  const code = await makeOne(path, mode);
  if (code === undefined) return path;
  if (code === 'EEXIST') return undefined;
  const parent = dirname(path);
  const firstMade = parent === path ? undefined : await makeFolders(parent, mode);
  await mkdir(path, { mode });
  return firstMade ?? path;
}

/** Creates one folder. Returns the code when it exists or its parent does not; throws any other error. */
async function makeOne(path: string, mode: number): Promise<'EEXIST' | 'ENOENT' | undefined> {
  try {
    await mkdir(path, { mode });
    return undefined;
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === 'EEXIST' || code === 'ENOENT') return code;
    throw thrown;
  }
}

/** SLUICE_HOME, locked by this process until it is released. */
export interface Home {
  /** Absolute, without symbolic links. */
  readonly folder: string;
  path(name: string): string;
  /** Registers a folder outside the home that belongs to it, so that `discard` removes it too. */
  adopt(folder: string): void;
  release(): Promise<void>;
  /** Undoes a failed start: removes the home if this start created it, and otherwise only releases it. */
  discard(): Promise<void>;
}

/** Creates the home if necessary and locks it. @throws StartFailure */
export async function claimHome(path: string): Promise<Home> {
  const wanted = resolve(path);
  try {
    const firstMade = await makeFolders(wanted, 0o700);
    const folder = await realpath(wanted);
    const lock = await lockHome(folder);
    const adopted: string[] = [];
    return {
      folder,
      path: (name) => join(folder, name),
      adopt: (outside) => void adopted.push(outside),
      release: () => lock.release(),
      async discard() {
        await lock.release();
        if (firstMade === undefined) return;
        for (const outside of adopted) await rm(outside, { recursive: true, force: true });
        await removeMade(wanted, firstMade);
      },
    };
  } catch (thrown) {
    throw startFailure(`SLUICE_HOME (${wanted}) cannot be used`, thrown);
  }
}

/** Removes the home, and the parent folders that this start created as far as they are empty. */
const removeMade = async (home: string, firstMade: string): Promise<void> => {
  await rm(home, { recursive: true, force: true });
  for (let folder = home; folder.length > firstMade.length; ) {
    folder = dirname(folder);
    const removed = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
};
