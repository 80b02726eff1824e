/**
 * A real Chromium for tests of downloads: `node deploy/components/chromium.mjs install|status`. The tests start it themselves, with
 * playwright-core. Any `chromium` on the PATH is used; on Debian and Ubuntu its package is installed.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { runCommand } from './run-command.mjs';

const { positionals } = parseArgs({ allowPositionals: true });

const isInstalled = () => spawnSync('chromium', ['--version']).status === 0;

function install() {
  if (!isInstalled()) installPackage();
  if (!isInstalled()) throw new Error('chromium is needed on the PATH. Install it manually.');
}

function installPackage() {
  if (spawnSync('apt-get', ['--version']).error !== undefined || process.getuid?.() !== 0) return;
  process.stdout.write('chromium: installing the system’s package ...\n');
  // biome-ignore lint/style/noProcessEnv: apt-get needs the environment of the caller
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { stdio: ['ignore', 'ignore', 'inherit'], env };
  const installArgs = ['install', '-y', '-q', '--no-install-recommends', 'chromium'];
  // Usually the package lists are missing or outdated.
  if (spawnSync('apt-get', installArgs, options).status === 0) return;
  spawnSync('apt-get', ['update', '-q'], options);
  spawnSync('apt-get', installArgs, options);
}

function status() {
  if (!isInstalled()) throw new Error('chromium is not on the PATH.');
}

const COMMANDS = { install, status };
await runCommand({
  name: 'chromium',
  command: COMMANDS[positionals[0]],
  usage: 'usage: node deploy/components/chromium.mjs install|status',
});
