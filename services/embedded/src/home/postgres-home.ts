import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresSettings } from '../postgres/index.ts';
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
 * folder of the system's temporary state that is named after the home, and the home records which.
 */
export async function postgresHome(home: Home, announce: (line: string) => void): Promise<PostgresHome> {
  const outside = process.getuid?.() === 0;
  const folder = outside ? join(stateFolder(), `sluice-${hashOf(home.folder)}`) : home.path('postgres');
  const path = home.path('postgres.json');
  const found = await readRecord(path);
  if (found !== undefined && outside) await followMove(found, folder, announce);
  const secrets = found?.secrets ?? { superuserPassword: randomPassword(), ownerPassword: randomPassword() };
  if (found?.folder !== folder || found.home !== home.folder)
    await writeRecord(path, { folder, home: home.folder, secrets });
  return { folder, place: outside ? 'in temporary state' : 'in the home', secrets };
}

/** /var/tmp outlives a restart of the machine, /tmp need not. */
const stateFolder = (): string => (existsSync('/var/tmp') ? '/var/tmp' : tmpdir());

const hashOf = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 16);

/** The data of a home that was moved comes along; that of a home that was copied stays with the first. */
const followMove = async (found: PostgresRecord, folder: string, announce: (line: string) => void): Promise<void> => {
  if (found.folder !== folder && !existsSync(found.home) && existsSync(found.folder) && !existsSync(folder)) {
    await rename(found.folder, folder);
  }
  if (!existsSync(join(folder, 'data'))) {
    announce(`The database that belonged to this home (${found.folder}) is gone. Starting with a new one.`);
  }
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
