import { homedir, platform } from 'node:os';
import { join } from 'node:path';
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
