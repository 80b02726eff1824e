import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const VERSION = 'import sys; print("%d.%d" % sys.version_info[:2])';

const output = (file, args) => {
  const run = spawnSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return run.status === 0 ? run.stdout.trim() : undefined;
};

/** Returns the interpreters of a version that pyenv has installed, which its shims only run when the version is chosen. */
function installedByPyenv(version) {
  const folder = join(homedir(), '.pyenv', 'versions');
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder).filter((name) => name.startsWith(`${version}.`));
  return found.map((name) => join(folder, name, 'bin', 'python3'));
}

/**
 * Returns the path of a Python of the first of these versions that the machine has, or that uv can install; undefined if there is none.
 * @param versions - such as `3.10`, the preferred one first
 */
export function findPython(versions) {
  for (const version of versions) {
    const candidates = [`python${version}`, ...installedByPyenv(version)];
    const found = candidates.find((file) => output(file, ['-c', VERSION]) === version);
    if (found !== undefined) return found;
    if (output('uv', ['python', 'install', '--quiet', version]) === undefined) continue;
    const installed = output('uv', ['python', 'find', '--no-project', version]);
    if (installed !== undefined) return installed;
  }
  return undefined;
}
