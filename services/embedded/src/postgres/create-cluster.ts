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

export interface ClusterPlace {
  readonly folder: string;
  readonly binaries: PostgresBinaries;
  readonly account: ServerAccount | undefined;
  /** `none` is for tests: a power cut may lose everything. */
  readonly durability: 'full' | 'none';
}

export const SUPERUSER = 'postgres';
/** Owns and migrates the schema; no superuser, as in production, so that a missing right is found here first. */
export const OWNER = 'sluice_owner';
export const DATABASE = 'sluice';

export const dataFolderOf = (place: ClusterPlace): string => join(place.folder, 'data');

/**
 * Makes the cluster, its owner role and its database, unless they are there. Everything happens in a folder of another name
 * that is renamed at the end, so that a crash or a full disk never leaves half a cluster that looks like one.
 */
export async function createCluster(place: ClusterPlace, secrets: ClusterSecrets): Promise<void> {
  const target = dataFolderOf(place);
  if (await isThere(join(target, 'PG_VERSION'))) return;
  const unfinished = `${target}.new`;
  try {
    await rm(unfinished, { recursive: true, force: true });
    await makeFor(place.account, unfinished);
    await initialise(place, unfinished, secrets);
    await bootstrap(place, unfinished, secrets);
    await rename(unfinished, target);
  } catch (thrown) {
    await rm(unfinished, { recursive: true, force: true });
    throw thrown;
  }
}

const makeFor = async (account: ServerAccount | undefined, folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (account !== undefined) await chown(folder, account.uid, account.gid);
};

const initialise = async (place: ClusterPlace, folder: string, secrets: ClusterSecrets): Promise<void> => {
  const passwordFile = join(place.folder, 'superuser-password');
  await writeFile(passwordFile, `${secrets.superuserPassword}\n`, { mode: 0o600 });
  try {
    if (place.account !== undefined) await chown(passwordFile, place.account.uid, place.account.gid);
    // The built-in locale sorts and folds alike on every system.
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const access = [`--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    const sync = place.durability === 'full' ? [] : ['--no-sync'];
    await runTool(place, { file: place.binaries.initdb, args: [`--pgdata=${folder}`, ...access, ...locale, ...sync] });
  } finally {
    await rm(passwordFile, { force: true });
  }
};

/** Single-user mode needs no server, port or client: one statement a line. */
const bootstrap = (place: ClusterPlace, folder: string, secrets: ClusterSecrets): Promise<void> =>
  runTool(place, {
    file: place.binaries.postgres,
    args: ['--single', '-D', folder, ...durabilityArgs(place.durability), '-c', 'log_min_messages=error', 'postgres'],
    input: [
      `CREATE ROLE ${OWNER} LOGIN CREATEROLE PASSWORD '${secrets.ownerPassword}'`,
      `CREATE DATABASE ${DATABASE} OWNER ${OWNER}`,
      '',
    ].join('\n'),
  });

export const durabilityArgs = (durability: ClusterPlace['durability']): string[] =>
  durability === 'full' ? [] : ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'];

interface Tool {
  readonly file: string;
  readonly args: readonly string[];
  readonly input?: string;
}

const runTool = (place: ClusterPlace, tool: Tool): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(tool.file, tool.args, {
      cwd: '/',
      env: { LC_ALL: 'C', TZ: 'UTC' },
      // A group of its own: Ctrl-C must not cut it half-way without our knowing.
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
      ...place.account,
    });
    let words = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words += text;
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(tool.input ?? '');
    child.once('error', reject);
    child.once('close', (code) => {
      // Single-user mode exits 0 whatever its statements said.
      if (code === 0 && !/^\S* ?(?:ERROR|FATAL|PANIC):|(?:ERROR|FATAL|PANIC): {2}/m.test(words)) resolve();
      else reject(new StartFailure(`The embedded PostgreSQL could not be set up: ${lastWords(words)}`));
    });
  });

/** The line of a PostgreSQL log that says why it ended. */
export function lastWords(log: string): string {
  const lines = log.split('\n').filter((line) => line.trim() !== '');
  const fatal = lines.filter((line) => /\b(?:FATAL|PANIC|ERROR|error):/.test(line)).at(-1);
  return (fatal ?? lines.at(-1) ?? 'it said nothing').replace(/^.*?\b(?:FATAL|PANIC|ERROR): */, '').trim();
}

const isThere = async (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
