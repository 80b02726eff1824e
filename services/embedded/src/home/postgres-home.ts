import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresSettings, stopOrphan } from '../postgres/index.ts';
import { startFailure, systemCode } from '../start-failure.ts';
import type { Home } from './home.ts';
import { randomPassword } from './home-secrets.ts';

/** Where a home keeps its PostgreSQL, and the passwords of it. */
export interface PostgresHome {
  readonly folder: string;
  /** Whether the folder lies outside the home, so that removing the home does not remove it. */
  readonly place: 'in the home' | 'in temporary state';
  readonly secrets: PostgresSettings['secrets'];
}

interface PostgresRecord {
  readonly folder: string;
  /** The home it was made for, to tell a home that was moved from one that was copied. */
  readonly home: string;
  readonly secrets: PostgresSettings['secrets'];
}

/**
 * As root the server runs as another user, to whom the home, perhaps under /root, is closed: then everything of it lies in a
 * folder of the system's temporary state that is named after the home, and the home records which. `stateFolder` is where;
 * undefined keeps it in the home.
 */
export async function postgresHome(
  home: Home,
  announce: (line: string) => void,
  stateFolder: string | undefined = defaultStateFolder(),
): Promise<PostgresHome> {
  const folder = stateFolder === undefined ? home.path('postgres') : join(stateFolder, `sluice-${hashOf(home.folder)}`);
  const path = home.path('postgres.json');
  const found = await readRecord(path);
  if (stateFolder !== undefined) await settle(found, folder, announce);
  const secrets = found?.secrets ?? { superuserPassword: randomPassword(), ownerPassword: randomPassword() };
  if (found?.folder !== folder || found.home !== home.folder)
    await writeRecord(path, { folder, home: home.folder, secrets });
  return { folder, place: stateFolder === undefined ? 'in the home' : 'in temporary state', secrets };
}

/** /var/tmp outlives a restart of the machine, /tmp need not. */
const defaultStateFolder = (): string | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  return existsSync('/var/tmp') ? '/var/tmp' : tmpdir();
};

const hashOf = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 16);

/**
 * Makes folder and record agree. A home that was deleted leaves its folder, whose passwords nobody has: it is removed. A home
 * that was moved takes its data along; one that was copied leaves them with the first.
 */
const settle = async (
  found: PostgresRecord | undefined,
  folder: string,
  announce: (line: string) => void,
): Promise<void> => {
  const isRecorded = found?.folder === folder;
  if (!isRecorded && existsSync(folder)) {
    await stopOrphan(join(folder, 'data'));
    await rm(folder, { recursive: true });
    announce(`Removed ${folder}, the database of a home that was here before.`);
  }
  if (found === undefined) return;
  if (!isRecorded && !existsSync(found.home) && existsSync(found.folder)) {
    await stopOrphan(join(found.folder, 'data'));
    await rename(found.folder, folder);
  }
  if (!existsSync(join(folder, 'data')))
    announce(`There is no database of this home in ${folder}: starting with a new one.`);
};

const readRecord = async (path: string): Promise<PostgresRecord | undefined> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as PostgresRecord;
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return undefined;
    throw startFailure(`${path} cannot be read`, thrown);
  }
};

const writeRecord = async (path: string, record: PostgresRecord): Promise<void> => {
  try {
    await writeFile(`${path}.new`, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600, flush: true });
    await rename(`${path}.new`, path);
  } catch (thrown) {
    throw startFailure(`${path} cannot be written`, thrown);
  }
};
