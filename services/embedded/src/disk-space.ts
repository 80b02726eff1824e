import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartFailure, systemCode } from './start-failure.ts';

const MEBIBYTE = 1024 * 1024;

/** Fails a first start that would fill the disk half-way through. The folder or one of its parents must exist. */
export async function ensureDiskSpace(folder: string, bytes: number): Promise<void> {
  const free = await freeBytes(folder);
  if (free >= bytes) return;
  const [has, needs] = [Math.floor(free / MEBIBYTE), Math.ceil(bytes / MEBIBYTE)];
  throw new StartFailure(
    `The disk of ${folder} is full: it has ${has} MiB left, and the first start needs ${needs} MiB.`,
  );
}

const freeBytes = async (folder: string): Promise<number> => {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT' && dirname(folder) !== folder) return freeBytes(dirname(folder));
    throw thrown;
  }
};
