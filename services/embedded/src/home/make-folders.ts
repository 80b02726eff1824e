import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from '../start-failure.ts';

/**
 * Creates a folder and its missing parents. Returns the first one that was created, or undefined when all existed. Node's own
 * recursive mkdir retries forever on a file system that returns ENOENT for every new name, as /proc does.
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
