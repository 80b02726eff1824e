import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartFailure, systemCode } from '../start-failure.ts';
import { processIdentity } from './process-identity.ts';

interface Holder {
  readonly pid: number;
  readonly identity: string;
  readonly since: string;
  /** Unique to this lock: one process may take two in the same millisecond. */
  readonly key: string;
}

interface HomeLock {
  release(): Promise<void>;
}

const ATTEMPTS_MAX = 10;

/**
 * Locks the home for this process. The lock is a file that names its holder. It is written under a temporary name and then linked,
 * which fails when a lock exists. A lock whose process has ended is replaced.
 * @throws StartFailure that names the holder
 */
export async function lockHome(home: string): Promise<HomeLock> {
  const path = join(home, 'lock');
  const own = JSON.stringify({
    pid: process.pid,
    identity: (await processIdentity(process.pid)) ?? '',
    since: new Date().toISOString(),
    key: randomBytes(6).toString('hex'),
  } satisfies Holder);
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    if (await linked(path, own)) return { release: () => release(path, own) };
    const found = await readFile(path, 'utf8').catch(() => '');
    const holder = parse(found);
    if (holder !== undefined && (await processIdentity(holder.pid)) === holder.identity) throw heldBy(holder, home);
    await removeStale(path, found);
  }
  throw new StartFailure(`Another process is starting Sluice on ${home} at this moment. Try again.`);
}

const heldBy = (holder: Holder, home: string): StartFailure =>
  new StartFailure(
    `Sluice is already running on ${home}: process ${holder.pid}, since ${holder.since}. Stop it, or set SLUICE_HOME to another folder.`,
  );

const linked = async (path: string, content: string): Promise<boolean> => {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, content, { mode: 0o600 });
  try {
    await link(draft, path);
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === 'EEXIST') return false;
    throw thrown;
  } finally {
    await rm(draft, { force: true });
  }
};

/** Removes a stale lock. Another start may have replaced it meanwhile: the file that was moved aside is checked, and put back if it is not the stale one. */
const removeStale = async (path: string, stale: string): Promise<void> => {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await rename(path, aside);
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return;
    throw thrown;
  }
  if ((await readFile(aside, 'utf8')) !== stale) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
};

const release = async (path: string, own: string): Promise<void> => {
  // The home may have been deleted and recreated meanwhile: a lock of another process is left alone.
  if ((await readFile(path, 'utf8').catch(() => '')) === own) await rm(path, { force: true });
};

const parse = (text: string): Holder | undefined => {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return undefined;
  }
};
