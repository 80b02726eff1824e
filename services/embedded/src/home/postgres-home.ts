import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresSettings, stopOrphan } from '../postgres/index.ts';
import { startFailure, systemCode } from '../start-failure.ts';
import type { Home } from './home.ts';
import { randomPassword } from './home-secrets.ts';

/** Folder and passwords of the PostgreSQL of a home. */
export interface PostgresHome {
  readonly folder: string;
  /** A folder in temporary state is outside the home, so removing the home does not remove it. */
  readonly place: 'in the home' | 'in temporary state';
  readonly secrets: PostgresSettings['secrets'];
}

interface PostgresRecord {
  readonly folder: string;
  /** The home it was created for, to distinguish a moved home from a copied one. */
  readonly home: string;
  readonly secrets: PostgresSettings['secrets'];
}

/**
 * Chooses the folder of PostgreSQL. Under root the server runs as another user, who cannot read a home under /root. Its folder is
 * then in `stateFolder`, named after the home and recorded in the home. An undefined `stateFolder` keeps it in the home.
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

/** /var/tmp survives a reboot, /tmp may not. */
const defaultStateFolder = (): string | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  return existsSync('/var/tmp') ? '/var/tmp' : tmpdir();
};

const hashOf = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 16);

/**
 * Reconciles folder and record. The folder of a deleted home is removed, because its passwords are lost. A moved home keeps its
 * data; a copied home leaves them to the original.
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
    announce(`Removed ${folder}, the database of a deleted home.`);
  }
  if (found === undefined) return;
  if (!isRecorded && !existsSync(found.home) && existsSync(found.folder)) {
    await stopOrphan(join(found.folder, 'data'));
    await rename(found.folder, folder);
  }
  if (!existsSync(join(folder, 'data'))) announce(`Found no database of this home in ${folder}: creating a new one.`);
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
