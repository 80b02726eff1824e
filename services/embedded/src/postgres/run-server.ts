import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { StartFailure } from '../start-failure.ts';
import { type ClusterPlace, dataFolderOf, durabilityArgs, lastError } from './create-cluster.ts';
import { findFreePort } from './free-port.ts';
import { stopServer } from './stop-orphan.ts';

export interface RunningServer {
  readonly port: number;
  readonly guardian: ChildProcess;
  /** Resolves with the reason when the server has ended: the last error of its log, or that its guardian was killed. */
  readonly ended: Promise<string>;
}

export interface RunSettings {
  /** Path of a Unix socket; the server runs until it closes. Default: until the guardian's standard input closes. */
  readonly lifeline?: string;
  /** Paths that the guardian deletes after the server has stopped. */
  readonly removeAfterwards?: readonly string[];
}

const { resolve } = createRequire(import.meta.url);
const ATTEMPTS_MAX = 5;

/** Starts the server on a free port of the loopback. Retries when another program takes that port first. */
export async function runServer(place: ClusterPlace, settings: RunSettings): Promise<RunningServer> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort();
    await rm(logFileOf(place), { force: true });
    const server = spawnGuardian(place, settings, port);
    const outcome = await Promise.race([server.ready, server.ended]);
    if (outcome === READY) return server;
    if (attempt === ATTEMPTS_MAX || !/could not bind|could not create any TCP/i.test(outcome)) {
      throw new StartFailure(`The embedded PostgreSQL did not start: ${outcome} (log: ${logFileOf(place)})`);
    }
  }
}

const READY = 'ready';
const logFileOf = (place: ClusterPlace): string => join(place.folder, 'postgres.log');

interface SpawnedServer extends RunningServer {
  readonly ready: Promise<typeof READY>;
}

const spawnGuardian = (place: ClusterPlace, settings: RunSettings, port: number): SpawnedServer => {
  const options = {
    postgres: place.binaries.postgres,
    args: serverArgs(place, port),
    dataFolder: dataFolderOf(place),
    logFile: logFileOf(place),
    lifeline: settings.lifeline,
    removeAfterwards: settings.removeAfterwards ?? [],
    ...place.account,
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
      stopServer(serverPid, dataFolderOf(place))
        .then(() => (signal === null ? lastErrorOf(place) : `its guardian was killed by ${signal}, so it was stopped`))
        .then(resolve, (error: Error) => resolve(error.message));
    });
  });
  return { port, guardian, ended, ready };
};

const lastErrorOf = (place: ClusterPlace): Promise<string> =>
  readFile(logFileOf(place), 'utf8').then(lastError, () => 'there is no log');

const serverArgs = (place: ClusterPlace, port: number): string[] => {
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
  return ['-D', dataFolderOf(place), '-p', String(port), ...options, ...durabilityArgs(place.durability)];
};
