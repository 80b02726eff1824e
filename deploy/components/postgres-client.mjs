/**
 * The client programs of PostgreSQL, for the test of backups: `node deploy/components/postgres-client.mjs install`. Debian's package has those
 * of one major version, which dump servers of that version and older ones.
 */
import { parseArgs } from 'node:util';
import { installPackages, isInstalled } from './install-packages.mjs';
import { runCommand } from './run-command.mjs';

const PROGRAMS = ['pg_dump', 'pg_restore', 'createdb', 'psql'];

function install() {
  if (!PROGRAMS.every(isInstalled)) installPackages('postgres client', ['postgresql-client']);
  const missing = PROGRAMS.filter((program) => !isInstalled(program));
  if (missing.length > 0)
    throw new Error(`${missing.join(', ')} must be on the PATH. Install PostgreSQL’s client programs.`);
}

const { positionals } = parseArgs({ allowPositionals: true });
await runCommand({
  name: 'postgres client',
  command: { install }[positionals[0]],
  usage: 'usage: node deploy/components/postgres-client.mjs install',
});
