/**
 * A real nginx for tests of proxies: `node deploy/components/nginx.mjs install|status`. The tests start it themselves. On Debian and
 * Ubuntu the package is installed.
 */
import { parseArgs } from 'node:util';
import { installPackages, isInstalled } from './install-packages.mjs';
import { runCommand } from './run-command.mjs';

const { positionals } = parseArgs({ allowPositionals: true });

const isMissing = () => !isInstalled('nginx');

function install() {
  // The run level keeps the package's service from starting.
  if (isMissing()) installPackages('nginx', ['nginx-light'], { RUNLEVEL: '1' });
  status();
}

function status() {
  if (isMissing()) throw new Error('nginx must be on the PATH. Install it manually.');
}

const COMMANDS = { install, status };
await runCommand({
  name: 'nginx',
  command: COMMANDS[positionals[0]],
  usage: 'usage: node deploy/components/nginx.mjs install|status',
});
