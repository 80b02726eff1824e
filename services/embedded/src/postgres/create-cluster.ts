import { spawn } from 'node:child_process';
import { chown, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFailure } from '../start-failure.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import type { ServerAccount } from './server-account.ts';

export interface ClusterSecrets {
  readonly superuserPassword: string;
  readonly ownerPassword: string;
}

export interface ClusterOptions {
  readonly folder: string;
  readonly binaries: PostgresBinaries;
  readonly account: ServerAccount | undefined;
  /** `none` is for tests: a power failure may lose all data. */
  readonly durability: 'full' | 'none';
}

export const SUPERUSER = 'postgres';
/** Owns and migrates the schema. Not a superuser, as in production, so that a missing privilege is found here first. */
export const OWNER = 'sluice_owner';
export const DATABASE = 'sluice';

export const dataFolderOf = (cluster: ClusterOptions): string => join(cluster.folder, 'data');

/**
 * Creates the cluster, its owner role and its database unless they exist. The work happens in a temporary folder that is renamed at
 * the end, so that a crash or a full disk never leaves an incomplete cluster under the final name.
 */
export async function createCluster(cluster: ClusterOptions, secrets: ClusterSecrets): Promise<void> {
  const target = dataFolderOf(cluster);
  if (await exists(join(target, 'PG_VERSION'))) return;
  const unfinished = `${target}.new`;
  try {
    await rm(unfinished, { recursive: true, force: true });
    await makeOwnedFolder(cluster.account, unfinished);
    await initialise(cluster, unfinished, secrets);
    await bootstrap(cluster, unfinished, secrets);
    await rename(unfinished, target);
  } catch (thrown) {
    await rm(unfinished, { recursive: true, force: true });
    throw thrown;
  }
}

const makeOwnedFolder = async (account: ServerAccount | undefined, folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (account !== undefined) await chown(folder, account.uid, account.gid);
};

const initialise = async (cluster: ClusterOptions, folder: string, secrets: ClusterSecrets): Promise<void> => {
  const passwordFile = join(cluster.folder, 'superuser-password');
  await writeFile(passwordFile, `${secrets.superuserPassword}\n`, { mode: 0o600 });
  try {
    if (cluster.account !== undefined) await chown(passwordFile, cluster.account.uid, cluster.account.gid);
    // The built-in locale sorts and folds case identically on every system.
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const access = [`--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    const sync = cluster.durability === 'full' ? [] : ['--no-sync'];
    await runTool(cluster, {
      file: cluster.binaries.initdb,
      args: [`--pgdata=${folder}`, ...access, ...locale, ...sync],
    });
  } finally {
    await rm(passwordFile, { force: true });
  }
};

/** Creates the owner role and the database. Single-user mode needs no server, port or client: one statement per line. */
const bootstrap = (cluster: ClusterOptions, folder: string, secrets: ClusterSecrets): Promise<void> =>
  runTool(cluster, {
    file: cluster.binaries.postgres,
    args: ['--single', '-D', folder, ...durabilityArgs(cluster.durability), '-c', 'log_min_messages=error', 'postgres'],
    input: [
      `CREATE ROLE ${OWNER} LOGIN CREATEROLE PASSWORD '${secrets.ownerPassword}'`,
      `CREATE DATABASE ${DATABASE} OWNER ${OWNER}`,
      '',
    ].join('\n'),
  });

export const durabilityArgs = (durability: ClusterOptions['durability']): string[] =>
  durability === 'full' ? [] : ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'];

interface Tool {
  readonly file: string;
  readonly args: readonly string[];
  readonly input?: string;
}

const runTool = (cluster: ClusterOptions, tool: Tool): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(tool.file, tool.args, {
      cwd: '/',
      env: { LC_ALL: 'C', TZ: 'UTC' },
      // A separate process group, so that Ctrl-C does not interrupt it.
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
      ...cluster.account,
    });
    let errorOutput = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errorOutput += text;
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(tool.input ?? '');
    child.once('error', reject);
    child.once('close', (code) => {
      // Single-user mode exits with 0 even when a statement failed.
      if (code === 0 && !/^\S* ?(?:ERROR|FATAL|PANIC):|(?:ERROR|FATAL|PANIC): {2}/m.test(errorOutput)) resolve();
      else reject(new StartFailure(`The embedded PostgreSQL could not be set up: ${lastError(errorOutput)}`));
    });
  });

/** Returns the line of a PostgreSQL log with the reason of its end. */
export function lastError(log: string): string {
  const lines = log.split('\n').filter((line) => line.trim() !== '');
  const fatal = lines.filter((line) => /\b(?:FATAL|PANIC|ERROR|error):/.test(line)).at(-1);
  return (fatal ?? lines.at(-1) ?? 'its log is empty').replace(/^.*?\b(?:FATAL|PANIC|ERROR): */, '').trim();
}

const exists = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
