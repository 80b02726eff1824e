/**
 * Real shells for tests of completion: `node deploy/components/shells.mjs install|status`. The tests start them in pseudo terminals. On
 * Debian and Ubuntu the packages are installed.
 */
import { parseArgs } from 'node:util';
import { installPackages, isInstalled } from './install-packages.mjs';
import { runCommand } from './run-command.mjs';

const SHELLS = ['bash', 'zsh', 'fish'];

const { positionals } = parseArgs({ allowPositionals: true });

const missing = () => SHELLS.filter((shell) => !isInstalled(shell));

function install() {
  const shells = missing();
  if (shells.length > 0) installPackages('shells', shells);
  status();
}

function status() {
  const shells = missing();
  if (shells.length > 0) throw new Error(`${shells.join(', ')} must be on the PATH. Install them manually.`);
}

const COMMANDS = { install, status };
await runCommand({
  name: 'shells',
  command: COMMANDS[positionals[0]],
  usage: 'usage: node deploy/components/shells.mjs install|status',
});
