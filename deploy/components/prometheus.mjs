/**
 * A real Prometheus for tests of metrics, dashboards and alerts: `node deploy/components/prometheus.mjs install|status`. The tests
 * start it themselves. On Debian and Ubuntu the package is installed.
 */
import { parseArgs } from 'node:util';
import { installPackages, isInstalled } from './install-packages.mjs';
import { runCommand } from './run-command.mjs';

const PROGRAMS = ['prometheus', 'promtool'];

const { positionals } = parseArgs({ allowPositionals: true });

const missing = () => PROGRAMS.filter((program) => !isInstalled(program));

function install() {
  // The run level keeps the package's service from starting.
  if (missing().length > 0) installPackages('prometheus', ['prometheus'], { RUNLEVEL: '1' });
  status();
}

function status() {
  const programs = missing();
  if (programs.length > 0) throw new Error(`${programs.join(', ')} must be on the PATH. Install them manually.`);
}

const COMMANDS = { install, status };
await runCommand({
  name: 'prometheus',
  command: COMMANDS[positionals[0]],
  usage: 'usage: node deploy/components/prometheus.mjs install|status',
});
