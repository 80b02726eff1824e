/** Installs packages of Debian or Ubuntu, for components whose programs come with the system. */
import { spawnSync } from 'node:child_process';

/** Returns whether a program is on the PATH. */
export const isInstalled = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;

/**
 * Installs packages with apt-get, where there is one and the user may. Elsewhere it does nothing: check the programs afterwards.
 * @param name - component, for the message
 * @param variables - more variables of the environment
 */
export function installPackages(name, packages, variables = {}) {
  if (!isInstalled('apt-get') || process.getuid?.() !== 0) return;
  process.stdout.write(`${name}: installing the system’s packages ...\n`);
  // biome-ignore lint/style/noProcessEnv: apt-get needs the environment of the caller
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', ...variables };
  const options = { stdio: ['ignore', 'ignore', 'inherit'], env };
  const installArgs = ['install', '-y', '-q', '--no-install-recommends', ...packages];
  // Usually the package lists are missing or outdated.
  if (spawnSync('apt-get', installArgs, options).status === 0) return;
  spawnSync('apt-get', ['update', '-q'], options);
  spawnSync('apt-get', installArgs, options);
}
