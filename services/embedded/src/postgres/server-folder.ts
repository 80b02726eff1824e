import { chmod, lstat, mkdir } from 'node:fs/promises';
import { StartFailure } from '../start-failure.ts';

/**
 * Makes the folder of a server, or checks the one that is there. In a temporary folder anyone may have made a folder of this
 * name before us, and with it could swap what we run; so it must be a real folder that is ours and that only we can write.
 * It is open for reading: the server's own user has to pass through it to its data, which is closed.
 */
export async function makeServerFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new StartFailure(
      `${folder} belongs to somebody else, so PostgreSQL is not kept in it. Remove it and start again.`,
    );
  }
  // The umask may have taken rights away from what was just made.
  await chmod(folder, 0o755);
}
