/**
 * A real Chromium for tests of pages and downloads: `node deploy/components/chromium.mjs install|status`. The tests start it themselves, with
 * playwright-core. Any `chromium` on the PATH is used; on Debian and Ubuntu its package is installed, and on Debian the one of its headless
 * shell, which most tests of pages use because it takes less processor time.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { installPackages } from './install-packages.mjs';
import { runCommand } from './run-command.mjs';

const { positionals } = parseArgs({ allowPositionals: true });

const isInstalled = () => spawnSync('chromium', ['--version']).status === 0;
const isShellInstalled = () => spawnSync('chromium-headless-shell', ['--version']).error === undefined;

function install() {
  if (!isInstalled()) installPackages('chromium', ['chromium']);
  if (!isInstalled()) throw new Error('chromium is needed on the PATH. Install it manually.');
  // A package of its own, which Ubuntu lacks: an install of both would fail there.
  if (!isShellInstalled()) installPackages('chromium', ['chromium-headless-shell']);
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
