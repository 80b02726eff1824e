import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PostgresServer, startPostgres } from '@sluice/embedded/postgres';
import { migrateJobs } from '@sluice/jobs';
import { migrate } from '@sluice/store/schema';
import type { TestDatabase } from '@sluice/testkit';

/** A PostgreSQL of its own whose files can be kept from growing. */
export interface LimitedServer extends AsyncDisposable {
  readonly database: TestDatabase;
  /**
   * The kernel refuses to let files of the server grow beyond it (RLIMIT_FSIZE), as it does where a disk is full, and needs no right
   * to mount one. A process may set it for others of its user; what the server starts later inherits it.
   */
  limitFiles(bytes: number | 'unlimited'): Promise<void>;
  /** What the server said so far. */
  log(): Promise<string>;
  /** Whether the server is there at all; one that cannot recover ends. */
  isRunning(): Promise<boolean>;
  /** What a supervisor does with a server that ended: starts it again, on the same files and port. */
  startAgain(): Promise<void>;
}

async function databaseOn({ ownerUrl, superuserUrl, urlOf }: PostgresServer): Promise<TestDatabase> {
  const apiRole = { name: 'sluice_api', password: 'api-password' };
  const streamRole = { name: 'sluice_stream', password: 'stream-password' };
  await migrate({ ownerUrl, apiRole, streamRole });
  await migrateJobs({ ownerUrl, apiRole: apiRole.name });
  const of = ({ name, password }: typeof apiRole) => urlOf({ role: name, password });
  const dispose = async (): Promise<void> => undefined;
  const urls = { ownerUrl, superuserUrl, apiUrl: of(apiRole), streamUrl: of(streamRole) };
  return { ...urls, apiRole, streamRole, dispose, [Symbol.asyncDispose]: dispose };
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

export async function startLimitedServer(durability: 'full' | 'none'): Promise<LimitedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-disk-'));
  await chmod(folder, 0o755); // as root, the server is another user
  const data = join(folder, 'server', 'data');
  const secrets = { superuserPassword: 'super', ownerPassword: 'own' };
  const server = await startPostgres({
    folder: join(folder, 'server'),
    secrets,
    durability,
    announce: () => undefined,
  });
  const postmaster = async (): Promise<number> =>
    Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  const command = (await readFile(`/proc/${await postmaster()}/cmdline`, 'utf8')).split('\0').slice(0, -1);
  const { uid, gid } = await stat(data);
  let again: ReturnType<typeof spawn> | undefined;

  const processes = async (): Promise<number[]> => {
    const first = await postmaster();
    const children = await readFile(`/proc/${first}/task/${first}/children`, 'utf8');
    return [first, ...children.trim().split(' ').map(Number)];
  };

  return {
    database: await databaseOn(server),
    async limitFiles(bytes) {
      for (const pid of await processes()) {
        await promisify(execFile)('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], { uid, gid }).catch(
          () => undefined, // it has ended meanwhile
        );
      }
    },
    log: () => readFile(join(folder, 'server', 'postgres.log'), 'utf8'),
    isRunning: () =>
      postmaster().then(
        (pid) => isAlive(pid),
        () => false,
      ),
    async startAgain() {
      const [file = '', ...args] = command;
      again = spawn(file, args, { cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC' }, stdio: 'ignore', uid, gid });
      await once(again, 'spawn');
    },
    async [Symbol.asyncDispose]() {
      if (again !== undefined && again.exitCode === null) {
        const ended = once(again, 'exit');
        again.kill('SIGINT');
        await ended;
      }
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
