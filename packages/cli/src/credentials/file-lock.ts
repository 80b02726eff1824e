import { randomUUID } from 'node:crypto';
import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '../errors.ts';
import { trackLocked } from './locked-actions.ts';
import { createPrivateFolder } from './private-file.ts';

/** Interval at which the holder updates the modification time of the lock file. */
const HEARTBEAT_MS = 2_000;
/** Age of the last heartbeat from which other processes take the lock over. */
const STALE_MS = 20_000;
const POLL_MS = 25;
const WAIT_MAX_MS = 120_000;

interface Holder {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
}

const codeOf = (error: unknown): unknown => (error instanceof Error ? Reflect.get(error, 'code') : undefined);

/** Creates a lock file; false if there is one. */
async function create(path: string, holder: Holder): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(JSON.stringify(holder));
    await file.close();
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw new CommandError(`The lock ${path} cannot be created (${String(codeOf(error))}). Check its folder.`, {
      cause: error,
    });
  }
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch {
    // It is being written, or has gone.
    return undefined;
  }
}

function isAlive({ pid, host }: Holder): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Returns whether the holder has ended without removing its lock: its process is gone, or it gives no sign of life. */
async function isStale(path: string): Promise<boolean> {
  const holder = await readHolder(path);
  if (holder !== undefined && !isAlive(holder)) return true;
  const status = await stat(path).catch(() => undefined);
  return status !== undefined && Date.now() - status.mtimeMs > STALE_MS;
}

/**
 * Removes a stale lock. Only the process that holds the second lock may, and looks once more: otherwise a slow process could remove the
 * new lock of one that was faster.
 */
async function removeStale(path: string, self: Holder): Promise<void> {
  const guard = `${path}.takeover`;
  if (await create(guard, self)) {
    try {
      if (await isStale(path)) await rm(path, { force: true });
    } finally {
      await rm(guard, { force: true });
    }
  } else if (await isStale(guard)) {
    await rm(guard, { force: true });
  }
}

async function acquire(path: string, self: Holder): Promise<void> {
  const deadline = Date.now() + WAIT_MAX_MS;
  while (!(await create(path, self))) {
    if (await isStale(path)) await removeStale(path, self);
    if (Date.now() > deadline)
      throw new CommandError(
        `Another sluice process has held ${path} for ${WAIT_MAX_MS / 1000} s. End it, and try again.`,
      );
    await delay(POLL_MS + Math.random() * POLL_MS);
  }
}

/**
 * Runs an action while no other process of this computer runs one with the same lock file. The lock of a process that was killed is
 * taken over.
 * @throws CommandError if the lock file cannot be created, or another process does not release it
 * @param options - `isTracked`: whether the process waits for the action at its end. Default: true
 */
export function withFileLock<Result>(
  path: string,
  action: () => Promise<Result>,
  { isTracked = true }: { readonly isTracked?: boolean } = {},
): Promise<Result> {
  const running = runLocked(path, action);
  if (isTracked) trackLocked(running);
  return running;
}

async function runLocked<Result>(path: string, action: () => Promise<Result>): Promise<Result> {
  const self: Holder = { id: randomUUID(), pid: process.pid, host: hostname() };
  await createPrivateFolder(dirname(path));
  await acquire(path, self);
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  heartbeat.unref();
  try {
    return await action();
  } finally {
    clearInterval(heartbeat);
    // After a long sleep of the computer another process may have taken it over.
    if ((await readHolder(path))?.id === self.id) await rm(path, { force: true });
  }
}
