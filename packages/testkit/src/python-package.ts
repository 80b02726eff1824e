import { execFile, execFileSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PREFIX_AND_VERSION = 'import sys; print("%d.%d.%d" % sys.version_info[:3], sys.base_prefix)';

/**
 * Returns the virtual environment of pinned packages. It is kept between runs, like the other components that tests install. The version
 * of `python3` is part of its name, because a machine may have several, and packages compiled for one do not load in another.
 * @param pins - for example `pyarrow==26.0.1`
 */
export function pythonPackage(...pins: readonly string[]): {
  readonly python: string;
  readonly install: () => Promise<void>;
} {
  const [version, prefix] = execFileSync('python3', ['-c', PREFIX_AND_VERSION], { encoding: 'utf8' }).trim().split(' ');
  const origin = prefix === '/usr' ? 'system' : 'own';
  const folder = join(homedir(), '.cache', 'sluice-components', `python-${version}-${origin}-${pins.join('+')}`);
  const python = join(folder, 'bin', 'python');
  return {
    python,
    install: async () => {
      await run('python3', ['-m', 'venv', folder]);
      await run(python, ['-m', 'pip', 'install', '--quiet', ...pins]);
    },
  };
}
