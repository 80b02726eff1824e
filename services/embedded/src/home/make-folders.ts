import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from '../start-failure.ts';

/**
 * Makes a folder and those above it that are missing, and answers the first it made; undefined when all were there. Node's own
 * recursive mkdir tries for ever where a file system answers ENOENT to every new name, as /proc does.
 */
export async function makeFolders(path: string, mode: number): Promise<string | undefined> {
  const code = await makeOne(path, mode);
  if (code === undefined) return path;
  if (code === 'EEXIST') return undefined;
  const parent = dirname(path);
  const firstMade = parent === path ? undefined : await makeFolders(parent, mode);
  await mkdir(path, { mode });
  return firstMade ?? path;
}

/** The system's code where it could not be made because of what is, or is not, there; anything else is thrown. */
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
