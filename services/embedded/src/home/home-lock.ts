import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartFailure, systemCode } from '../start-failure.ts';

/**
 * Returns the start time of a process, which distinguishes it from any other process with the same PID. PIDs are reused, in a
 * container at every start. Returns undefined when there is no such process or it is a zombie.
 */
async function processIdentity(pid: number): Promise<string | undefined> {
  try {
    if (platform() === 'linux') return identityIn(await readFile(`/proc/${pid}/stat`, 'utf8'));
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]);
    return stdout.trim() === '' ? undefined : stdout.trim();
  } catch {
    return undefined;
  }
}

/** proc(5): the command, field 2, may contain spaces and brackets, so fields are counted after its last bracket. */
const identityIn = (stat: string): string | undefined => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  return state === 'Z' || state === 'X' ? undefined : fields[19];
};

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

/** Maximum wait for another start that is replacing a stale lock at the same moment, which takes a few milliseconds. */
const WAIT_MAX_MS = 2_000;
const WAIT_MS = 10;

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
  const deadline = performance.now() + WAIT_MAX_MS;
  do {
    const outcome = await takeLock(path, own);
    if (outcome === 'taken') return { release: () => release(path, own) };
    if (outcome !== 'busy') throw heldBy(outcome, home);
    await setTimeout(WAIT_MS);
  } while (performance.now() < deadline);
  throw new StartFailure(`Another process is starting Sluice on ${home} at this moment. Try again.`);
}

const heldBy = (holder: Holder, home: string): StartFailure =>
  new StartFailure(
    `Sluice is already running on ${home}: process ${holder.pid}, since ${holder.since}. Stop it, or set SLUICE_HOME to another folder.`,
  );

/**
 * Takes the lock at `path`, or returns its holder, or 'busy' when another start is replacing a stale lock.
 * Only one start may replace a given stale lock: the one that holds a second lock, named after the content of the stale one. It reads
 * the first lock again before it replaces it, because another start may have done so meanwhile. A start that ends between the two steps
 * leaves a stale second lock, which is replaced by the same rule.
 */
const takeLock = async (path: string, own: string): Promise<'taken' | 'busy' | Holder> => {
  if (await linked(path, own)) return 'taken';
  const found = await readIfPresent(path);
  if (found === undefined) return 'busy';
  const holder = parse(found);
  if (holder !== undefined && (await processIdentity(holder.pid)) === holder.identity) return holder;
  const replacement = `${path}.${createHash('sha256').update(found).digest('hex').slice(0, 12)}`;
  if ((await takeLock(replacement, own)) !== 'taken') return 'busy';
  try {
    if ((await readIfPresent(path)) !== found) return 'busy';
    const draft = await writeDraft(path, own);
    await rename(draft, path);
    return 'taken';
  } finally {
    await rm(replacement, { force: true });
  }
};

const linked = async (path: string, content: string): Promise<boolean> => {
  const draft = await writeDraft(path, content);
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

const writeDraft = async (path: string, content: string): Promise<string> => {
  const draft = `${path}.${randomBytes(6).toString('hex')}.draft`;
  await writeFile(draft, content, { mode: 0o600 });
  return draft;
};

const readIfPresent = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
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
