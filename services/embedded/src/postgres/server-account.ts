import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { StartFailure } from '../start-failure.ts';

const run = promisify(execFile);

/** The user of the system that the server runs as, where that is not the one we are. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

const NAME = 'postgres';

/**
 * PostgreSQL refuses to run as root. As root it runs as `postgres`, who is made when this system has no such user, and that
 * is told through `announce`. As anyone else the server runs as ourselves: undefined.
 */
export async function findServerAccount(announce: (line: string) => void): Promise<ServerAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const known = await idsOf(NAME);
  if (known !== undefined) return known;
  await makeAccount();
  announce(`Made the system user ${NAME}, because PostgreSQL does not run as root.`);
  const made = await idsOf(NAME);
  if (made === undefined) throw new StartFailure(`The system user ${NAME} was made, but cannot be found.`);
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
      `PostgreSQL does not run as root, and the system user ${NAME} could not be made. Start Sluice as another user, or make that user.`,
      cause,
    );
  }
};
