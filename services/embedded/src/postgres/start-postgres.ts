import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { StartFailure } from '../start-failure.ts';
import {
  type ClusterOptions,
  type ClusterSecrets,
  createCluster,
  DATABASE,
  dataFolderOf,
  durabilityArgs,
  lastError,
  OWNER,
  SUPERUSER,
} from './create-cluster.ts';
import { findFreePort } from './free-port.ts';
import { copyBinaries, locateBinaries } from './postgres-binaries.ts';
import { findServerAccount } from './server-account.ts';
import { makeServerFolder } from './server-folder.ts';
import { stopOrphan, stopServer } from './stop-orphan.ts';

interface RunningServer {
  readonly port: number;
  readonly guardian: ChildProcess;
  /** Resolves with the reason when the server has ended: the last error of its log, or that its guardian was killed. */
  readonly ended: Promise<string>;
}

interface RunSettings {
  /** Path of a Unix socket; the server runs until it closes. Default: until the guardian's standard input closes. */
  readonly lifeline?: string;
  /** Paths that the guardian deletes after the server has stopped. */
  readonly removeAfterwards?: readonly string[];
}

const { resolve } = createRequire(import.meta.url);
const ATTEMPTS_MAX = 5;

/** Starts the server on a free port of the loopback. Retries when another program takes that port first. */
async function runServer(cluster: ClusterOptions, settings: RunSettings): Promise<RunningServer> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort();
    await rm(logFileOf(cluster), { force: true });
    const server = spawnGuardian(cluster, settings, port);
    const outcome = await Promise.race([server.ready, server.ended]);
    if (outcome === READY) return server;
    if (attempt === ATTEMPTS_MAX || !/could not bind|could not create any TCP/i.test(outcome)) {
      throw new StartFailure(`The embedded PostgreSQL did not start: ${outcome} (log: ${logFileOf(cluster)})`);
    }
  }
}

const READY = 'ready';
const logFileOf = (cluster: ClusterOptions): string => join(cluster.folder, 'postgres.log');

interface SpawnedServer extends RunningServer {
  readonly ready: Promise<typeof READY>;
}

const spawnGuardian = (cluster: ClusterOptions, settings: RunSettings, port: number): SpawnedServer => {
  const options = {
    postgres: cluster.binaries.postgres,
    args: serverArgs(cluster, port),
    dataFolder: dataFolderOf(cluster),
    logFile: logFileOf(cluster),
    lifeline: settings.lifeline,
    removeAfterwards: settings.removeAfterwards ?? [],
    ...cluster.account,
  };
  const guardian = spawn(process.execPath, [resolve('@sluice/embedded/postgres-guardian'), JSON.stringify(options)], {
    cwd: '/',
    // An empty environment: no secrets of this process, and no NODE_OPTIONS.
    env: {},
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let serverPid = 0;
  const ready = new Promise<typeof READY>((resolve) => {
    createInterface({ input: guardian.stdout }).on('line', (line) => {
      const [name, pid] = line.split(' ');
      if (name === READY) resolve(READY);
      else serverPid = Number(pid);
    });
  });
  const ended = new Promise<string>((resolve) => {
    guardian.once('error', (error) => resolve(error.message));
    guardian.once('exit', (_code, signal) => {
      // The guardian outlives its server, unless it was killed.
      stopServer(serverPid, dataFolderOf(cluster))
        .then(() =>
          signal === null ? lastErrorOf(cluster) : `its guardian was killed by ${signal}, so it was stopped`,
        )
        .then(resolve, (error: Error) => resolve(error.message));
    });
  });
  return { port, guardian, ended, ready };
};

const lastErrorOf = (cluster: ClusterOptions): Promise<string> =>
  readFile(logFileOf(cluster), 'utf8').then(lastError, () => 'there is no log');

const serverArgs = (cluster: ClusterOptions, port: number): string[] => {
  const options = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'shared_buffers=64MB',
    'lc_messages=C',
    'timezone=UTC',
    'log_timezone=UTC',
    'log_checkpoints=off',
  ].flatMap((option) => ['-c', option]);
  return ['-D', dataFolderOf(cluster), '-p', String(port), ...options, ...durabilityArgs(cluster.durability)];
};

export interface PostgresSettings extends RunSettings {
  /** Folder of the cluster, its log and, under root, the binaries. Under root every system user must be able to reach it. */
  readonly folder: string;
  readonly secrets: ClusterSecrets;
  readonly durability: ClusterOptions['durability'];
  /** Receives messages about changes of the system (a created user) and about slow steps. */
  readonly announce: (line: string) => void;
}

export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  /** URL with the owner role, which is not a superuser but may create roles. */
  readonly ownerUrl: string;
  readonly superuserUrl: string;
  /** Returns the URL for any role and database of this server. */
  urlOf(login: { readonly role: string; readonly password: string; readonly database?: string }): string;
  /** Resolves with the last error of the server's log when it has ended. */
  readonly ended: Promise<string>;
  /** Lets this process end while the server, which depends on a lifeline, keeps running. */
  unref(): void;
}

/**
 * Starts a PostgreSQL server on a free port of the loopback, and creates its cluster at the first start. It never attaches to an
 * existing server. The server stops on disposal, and shortly after this process has ended for any reason.
 * @throws StartFailure
 */
export async function startPostgres(settings: PostgresSettings): Promise<PostgresServer> {
  const account = await findServerAccount(settings.announce);
  await makeServerFolder(settings.folder);
  const located = await locateBinaries();
  const binaries = account === undefined ? located : await copyBinaries(located, settings.folder);
  const cluster: ClusterOptions = { folder: settings.folder, binaries, account, durability: settings.durability };
  await createCluster(cluster, settings.secrets);
  await stopOrphan(dataFolderOf(cluster));
  return serverOf(await runServer(cluster, settings), settings.secrets);
}

const serverOf = (running: RunningServer, secrets: ClusterSecrets): PostgresServer => {
  const urlOf: PostgresServer['urlOf'] = ({ role, password, database }) =>
    `postgres://${role}:${encodeURIComponent(password)}@127.0.0.1:${running.port}/${database ?? DATABASE}`;
  return {
    port: running.port,
    ownerUrl: urlOf({ role: OWNER, password: secrets.ownerPassword }),
    superuserUrl: urlOf({ role: SUPERUSER, password: secrets.superuserPassword }),
    urlOf,
    ended: running.ended,
    unref() {
      running.guardian.unref();
      running.guardian.stdin?.destroy();
      running.guardian.stdout?.destroy();
    },
    async [Symbol.asyncDispose]() {
      running.guardian.stdin?.end();
      await running.ended;
    },
  };
};
