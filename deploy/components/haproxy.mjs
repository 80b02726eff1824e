/**
 * A real HAProxy for tests of proxies: `node deploy/components/haproxy.mjs install|status`. The tests start it themselves. On Debian and
 * Ubuntu the package is installed.
 */
import { parseArgs } from 'node:util';
import { installPackages, isInstalled } from './install-packages.mjs';
import { runCommand } from './run-command.mjs';

const { positionals } = parseArgs({ allowPositionals: true });

const isMissing = () => !isInstalled('haproxy');

function install() {
  // The run level keeps the package's service from starting.
  if (isMissing()) installPackages('haproxy', ['haproxy'], { RUNLEVEL: '1' });
  status();
}

function status() {
  if (isMissing()) throw new Error('haproxy must be on the PATH. Install it manually.');
}

const COMMANDS = { install, status };
await runCommand({
  name: 'haproxy',
  command: COMMANDS[positionals[0]],
  usage: 'usage: node deploy/components/haproxy.mjs install|status',
});
