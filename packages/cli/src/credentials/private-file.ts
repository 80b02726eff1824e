import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import { CommandError } from '../errors.ts';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** Windows has no modes: there the folder is below the user's own %APPDATA%, which other users cannot read. */
const HAS_MODES = platform() !== 'win32';

interface Status {
  readonly mode: number;
  readonly uid: number;
}

const codeOf = (error: unknown): string => String(error instanceof Error ? Reflect.get(error, 'code') : undefined);

/** @throws CommandError if the file or folder belongs to another user, or others may read or change it */
function requirePrivate(path: string, { mode, uid }: Status, allowed: number): void {
  if (!HAS_MODES) return;
  const own = process.geteuid?.();
  if (own !== undefined && uid !== own)
    throw new CommandError(`${path} belongs to another user (id ${uid}, not ${own}), so it is not used. Remove it.`);
  if ((mode & 0o777 & ~allowed) === 0) return;
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  throw new CommandError(
    `${path} is open to other users (mode ${shown}), so it is not used. Run \`chmod ${allowed.toString(8)} ${path}\`; if others use this computer, log in again too.`,
  );
}

const unreadable = (path: string, error: unknown): CommandError =>
  new CommandError(`${path} cannot be read (${codeOf(error)}). Check its owner and mode.`, { cause: error });

/**
 * Reads a file that only its owner may read; undefined if there is none. The owner and the mode of the file and of its folder are
 * checked, and a symbolic link is not followed.
 * @throws CommandError if it cannot be read, or is not private
 */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  try {
    const folder = await lstat(dirname(path));
    // O_NOFOLLOW is undefined on Windows.
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      requirePrivate(dirname(path), folder, FOLDER_MODE);
      requirePrivate(path, await file.stat(), FILE_MODE);
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unreadable(path, error);
  }
}

/**
 * Replaces a file in one step, so that a reader sees the old or the new text. Creates its folder.
 * @throws CommandError if it cannot be written
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`;
  try {
    await createPrivateFolder(dirname(path));
    const file = await open(unfinished, 'wx', FILE_MODE);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path} cannot be written (${codeOf(error)}). Check its folder and the free space.`, {
      cause: error,
    });
  }
}

/**
 * Creates a folder that only its owner may use, with those above it.
 * @throws CommandError if it exists and others may use it
 */
export async function createPrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  requirePrivate(path, await lstat(path), FOLDER_MODE);
}

/** Removes a file, if there is one. */
export async function removePrivateFile(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (error) {
    throw new CommandError(`${path} cannot be removed (${codeOf(error)}). Remove it yourself.`, { cause: error });
  }
}
