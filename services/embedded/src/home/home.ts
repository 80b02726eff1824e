import { realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { startFailure } from '../start-failure.ts';
import { lockHome } from './home-lock.ts';
import { makeFolders } from './make-folders.ts';

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
