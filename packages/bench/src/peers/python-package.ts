import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const INSTALL_TIMEOUT_MS = 300_000;

/** Installs a package from PyPI into an environment of its own, unless an earlier run did. Returns the folder of its commands. */
export async function installPythonPackage(folder: string, name: string, version: string): Promise<string> {
  const environment = join(folder, `${name}-${version}`);
  const commands = join(environment, 'bin');
  const installed = join(environment, 'installed');
  if (existsSync(installed)) return commands;
  try {
    await run('python3', ['-m', 'venv', '--clear', environment]);
    const install = ['install', '--quiet', '--disable-pip-version-check', `${name}==${version}`];
    await run(join(commands, 'pip'), install, { timeout: INSTALL_TIMEOUT_MS });
    await run('touch', [installed]);
  } catch (thrown) {
    throw new Error(`${name} ${version} cannot be installed from PyPI: ${lastLineOf(thrown)}`);
  }
  return commands;
}

/** Returns the last line that a failed command printed to stderr; if there is none, that of the message. */
export function lastLineOf(thrown: unknown): string {
  const { stderr, message } = thrown as { stderr?: string; message: string };
  return (stderr?.trim() || message).split('\n').at(-1) ?? message;
}
