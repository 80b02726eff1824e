import { chmod, lstat, mkdir } from 'node:fs/promises';
import { StartFailure } from '../start-failure.ts';

/**
 * Creates the folder of a server, or checks an existing one. Under a temporary folder any user may have created a folder of this
 * name to replace the binaries that we run, so it must be a real folder, owned by us and writable by us only. It is readable by
 * all: the server's user has to pass through it to its private data folder.
 */
export async function makeServerFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new StartFailure(
      `${folder} is owned or writable by another user, so PostgreSQL cannot be stored in it. Remove it and start again.`,
    );
  }
  // The umask may have removed permissions from the new folder.
  await chmod(folder, 0o755);
}
