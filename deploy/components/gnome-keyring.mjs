/**
 * A real GNOME Keyring for tests of the command line: `node deploy/components/gnome-keyring.mjs install|status`. The tests start it
 * themselves, each with a session bus of its own. On Debian and Ubuntu the packages are installed.
 */
import { parseArgs } from 'node:util';
import { installPackages, isInstalled } from './install-packages.mjs';
import { runCommand } from './run-command.mjs';

const PROGRAMS = ['gnome-keyring-daemon', 'secret-tool', 'dbus-run-session'];
const PACKAGES = ['gnome-keyring', 'libsecret-tools', 'dbus'];

const { positionals } = parseArgs({ allowPositionals: true });

const missing = () => PROGRAMS.filter((program) => !isInstalled(program));

function install() {
  if (missing().length > 0) installPackages('gnome-keyring', PACKAGES);
  status();
}

function status() {
  const programs = missing();
  if (programs.length > 0) throw new Error(`${programs.join(', ')} must be on the PATH. Install them manually.`);
}

const COMMANDS = { install, status };
await runCommand({
  name: 'gnome-keyring',
  command: COMMANDS[positionals[0]],
  usage: 'usage: node deploy/components/gnome-keyring.mjs install|status',
});
