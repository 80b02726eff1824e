/**
 * A real GNOME Keyring for tests of the command line: `node deploy/components/gnome-keyring.mjs install|status`. The tests start it
 * themselves, each with a session bus of its own. On Debian and Ubuntu the packages are installed.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { runCommand } from './run-command.mjs';

const PROGRAMS = ['gnome-keyring-daemon', 'secret-tool', 'dbus-run-session'];
const PACKAGES = ['gnome-keyring', 'libsecret-tools', 'dbus'];

const { positionals } = parseArgs({ allowPositionals: true });

const missing = () => PROGRAMS.filter((program) => spawnSync(program, ['--version']).error !== undefined);

function install() {
  if (missing().length > 0) installPackages();
  status();
}

function installPackages() {
  if (spawnSync('apt-get', ['--version']).error !== undefined || process.getuid?.() !== 0) return;
  process.stdout.write('gnome-keyring: installing the system’s packages ...\n');
  // biome-ignore lint/style/noProcessEnv: apt-get needs the environment of the caller
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { stdio: ['ignore', 'ignore', 'inherit'], env };
  const installArgs = ['install', '-y', '-q', '--no-install-recommends', ...PACKAGES];
  // Usually the package lists are missing or outdated.
  if (spawnSync('apt-get', installArgs, options).status === 0) return;
  spawnSync('apt-get', ['update', '-q'], options);
  spawnSync('apt-get', installArgs, options);
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
