import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { StartFailure } from '../start-failure.ts';

const run = promisify(execFile);

/** System user that the server runs as, if it is not the current one. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

const NAME = 'postgres';

/**
 * Finds the user to run PostgreSQL as, because it refuses to run as root. Under root this is `postgres`, who is created and announced
 * when this system has no such user. Returns undefined when the current user is not root.
 */
export async function findServerAccount(announce: (line: string) => void): Promise<ServerAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const known = await idsOf(NAME);
  if (known !== undefined) return known;
  await makeAccount();
  announce(`Created the system user ${NAME}, because PostgreSQL does not run as root.`);
  const made = await idsOf(NAME);
  if (made === undefined) throw new StartFailure(`The system user ${NAME} was created, but cannot be found.`);
  return made;
}

const idsOf = async (name: string): Promise<ServerAccount | undefined> => {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
};

const makeAccount = async (): Promise<void> => {
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', NAME]);
  } catch (cause) {
    throw new StartFailure(
      `PostgreSQL does not run as root, and the system user ${NAME} could not be created. Start Sluice as another user, or create that user.`,
      cause,
    );
  }
};
