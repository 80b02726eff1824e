import { homedir, platform } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../environment.ts';

/**
 * Returns the folder of profiles and credentials: `$XDG_CONFIG_HOME/sluice` (XDG Base Directory Specification; a relative path there is
 * ignored, as it says), `%APPDATA%\sluice` on Windows, else `~/.config/sluice`.
 */
export function configFolder(environment: Environment): string {
  const configured = environment['XDG_CONFIG_HOME'];
  if (configured?.startsWith('/')) return join(configured, 'sluice');
  const appData = environment['APPDATA'];
  if (platform() === 'win32' && appData !== undefined && appData !== '') return join(appData, 'sluice');
  return join(homedir(), '.config', 'sluice');
}
