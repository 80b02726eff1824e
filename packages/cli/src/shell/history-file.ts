import { appendFile, chmod } from 'node:fs/promises';
import { homedir, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { createPrivateFolder, readPrivateFile, writePrivateFile } from '../credentials/private-file.ts';
import type { Environment } from '../environment.ts';

/**
 * Returns the folder of what is kept between runs but is not configuration: `$XDG_STATE_HOME/sluice` (XDG Base Directory Specification),
 * `%LOCALAPPDATA%\sluice` on Windows, else `~/.local/state/sluice`.
 */
export function stateFolder(environment: Environment): string {
  const configured = environment['XDG_STATE_HOME'];
  if (configured?.startsWith('/')) return join(configured, 'sluice');
  const local = environment['LOCALAPPDATA'];
  if (platform() === 'win32' && local !== undefined && local !== '') return join(local, 'sluice');
  return join(homedir(), '.local', 'state', 'sluice');
}

/** Statements that are kept. The file is cut to them when it has twice as many. */
const ENTRIES_MAX = 1000;
const FILE_MODE = 0o600;

/** Statements of earlier runs, one JSON string a line. */
export interface HistoryFile {
  /**
   * Returns the statements, newest first.
   * @throws CommandError if the file cannot be read, or is open to other users
   */
  readonly read: () => Promise<readonly string[]>;
  /** @throws Error if it cannot be written */
  readonly add: (statement: string) => Promise<void>;
}

/** Parses a line. One that was cut, by a full disk or another program, is left out. */
function parseLine(line: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'string' ? [value] : [];
  } catch {
    return [];
  }
}

/** Opens the history at a path. The file and its folder are for their owner only. */
export function openHistoryFile(path: string): HistoryFile {
  return {
    read: async () => {
      const text = (await readPrivateFile(path)) ?? '';
      const entries = text.split('\n').flatMap(parseLine);
      const kept = entries.slice(-ENTRIES_MAX);
      if (entries.length >= 2 * ENTRIES_MAX)
        await writePrivateFile(path, kept.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
      return kept.reverse();
    },
    add: async (statement) => {
      await createPrivateFolder(dirname(path));
      // One write at the end of the file, so that two shells do not mix their lines.
      await appendFile(path, `${JSON.stringify(statement)}\n`, { mode: FILE_MODE });
      await chmod(path, FILE_MODE);
    },
  };
}
