/**
 * Real programs that tests start themselves: `node deploy/components/programs.mjs install|status NAME`. Those on the PATH are used; on Debian
 * and Ubuntu, missing ones are installed from the system's packages.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { installPackages, isInstalled } from './install-packages.mjs';
import { runCommand } from './run-command.mjs';

const COMPONENTS = {
  /**
   * Opens pages and downloads in tests. The headless shell takes less processor time. It is a package of its own, which Ubuntu lacks, where an
   * install of both would fail.
   */
  chromium: {
    programs: ['chromium'],
    packages: ['chromium'],
    optional: 'chromium-headless-shell',
    // A program may be there that only asks to install a snap.
    isUsable: (program) => spawnSync(program, ['--version']).status === 0,
  },
  /** Stores logins in tests of the command line. */
  'gnome-keyring': {
    programs: ['gnome-keyring-daemon', 'secret-tool', 'dbus-run-session'],
    packages: ['gnome-keyring', 'libsecret-tools', 'dbus'],
  },
  haproxy: { programs: ['haproxy'], packages: ['haproxy'] },
  nginx: { programs: ['nginx'], packages: ['nginx-light'] },
  /** Dumps and restores in the test of backups. Debian's package has those of one major version, which dump servers of that version and older ones. */
  'postgres-client': { programs: ['pg_dump', 'pg_restore', 'createdb', 'psql'], packages: ['postgresql-client'] },
  /** Reads metrics in tests of dashboards and alerts. */
  prometheus: { programs: ['prometheus', 'promtool'], packages: ['prometheus'] },
  /** Shells in which completion is tested. */
  shells: { programs: ['bash', 'zsh', 'fish'], packages: ['bash', 'zsh', 'fish'] },
};

const {
  positionals: [command, name],
} = parseArgs({ allowPositionals: true });
const { programs = [], packages = [], optional, isUsable = isInstalled } = COMPONENTS[name] ?? {};
const missing = () => programs.filter((program) => !isUsable(program));
// The run level keeps the services of packages from starting.
const installAll = (wanted) => installPackages(name, wanted, { RUNLEVEL: '1' });

function install() {
  if (missing().length > 0) installAll(packages);
  status();
  if (optional !== undefined && !isInstalled(optional)) installAll([optional]);
}

function status() {
  if (missing().length > 0) throw new Error(`${missing().join(', ')} must be on the PATH. Install it manually.`);
}

await runCommand({
  name: name ?? 'programs',
  command: COMPONENTS[name] && { install, status }[command],
  usage: `usage: node deploy/components/programs.mjs install|status ${Object.keys(COMPONENTS).join('|')}`,
});
