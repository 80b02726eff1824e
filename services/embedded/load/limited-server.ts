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

/** A separate PostgreSQL whose file size can be limited. */
export interface LimitedServer extends AsyncDisposable {
  readonly database: TestDatabase;
  /**
   * Limits the size of the server's files (RLIMIT_FSIZE). Writes beyond it fail like on a full disk, without the privilege to mount
   * one. A process may set it for other processes of its user; later child processes inherit it.
   */
  limitFiles(bytes: number | 'unlimited'): Promise<void>;
  /** Returns the log of the server so far. */
  log(): Promise<string>;
  /** Returns whether the server process is running. A server that cannot recover ends. */
  isRunning(): Promise<boolean>;
  /** Restarts an ended server on the same files and port, as a supervisor does. Does nothing while an earlier restart goes on. */
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
  await chmod(folder, 0o755); // under root, the server runs as another user
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
          () => undefined, // the process has ended meanwhile
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
      if (again !== undefined && again.exitCode === null && again.signalCode === null) return; // it is still starting
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
