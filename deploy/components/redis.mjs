/**
 * A real Redis for tests: `node deploy/components/redis.mjs install|start|stop|status`. It stores nothing on disk. Tests that
 * stop, kill or flush a Redis start their own with the installed binary.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CACHE } from './component.mjs';
import { componentServer } from './component-server.mjs';
import { installPackages } from './install-packages.mjs';
import { runCommand } from './run-command.mjs';
import { REDIS_VERSION } from './versions.mjs';

/** Oldest version that Sluice supports; any newer one on the PATH is accepted. */
const VERSION_MIN = [6, 2];
const HOST = '127.0.0.1';
const READY_TIMEOUT_MS = 10_000;
const STOP_GRACE_MS = 5_000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string', default: '26390' },
    memory: { type: 'string', default: '256mb' },
  },
});
const run = join(CACHE, 'run', `redis-${values.port}`);
// Redis replaces its command line by a title.
const mark = `redis-server ${HOST}:${values.port}`;
const where = () => `redis://${HOST}:${values.port}`;
const server = componentServer({ name: 'redis', folder: run, mark, where, stopGraceMs: STOP_GRACE_MS });
const { print, stop, status } = server;

/** Returns the major and minor version of the binary on the PATH. */
function installedVersion() {
  const { stdout, error } = spawnSync('redis-server', ['--version'], { encoding: 'utf8' });
  if (error !== undefined) return undefined;
  const [, major, minor] = /v=(\d+)\.(\d+)/.exec(stdout) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor)];
}

const isNewEnough = ([major, minor]) => major > VERSION_MIN[0] || (major === VERSION_MIN[0] && minor >= VERSION_MIN[1]);

function install() {
  // The run level keeps the package's service from starting.
  if (installedVersion() === undefined) installPackages('redis', ['redis-server'], { RUNLEVEL: '1' });
  const version = installedVersion();
  if (version === undefined || !isNewEnough(version))
    throw new Error(`redis-server ${VERSION_MIN.join('.')} or newer is needed on the PATH. Install it manually.`);
  if (!REDIS_VERSION.startsWith(`${version.join('.')}.`))
    print(`uses ${version.join('.')} of the PATH; Sluice is otherwise tested with ${REDIS_VERSION}`);
}

async function start() {
  install();
  if (await server.isStarted({ host: HOST, port: values.port })) return;
  rmSync(run, { recursive: true, force: true });
  mkdirSync(run, { recursive: true });
  const persistence = ['--save', '', '--appendonly', 'no', '--dir', run];
  const memory = ['--maxmemory', values.memory, '--maxmemory-policy', 'noeviction'];
  await server.launch({
    command: 'redis-server',
    args: ['--bind', HOST, '--port', values.port, ...persistence, ...memory],
    isReady: answersPing,
    readyWithinMs: READY_TIMEOUT_MS,
    everyMs: 20,
  });
}

const answersPing = () =>
  new Promise((resolve) => {
    const socket = connect({ host: HOST, port: Number(values.port) }, () => socket.write('PING\r\n'));
    const end = (isReady) => {
      socket.destroy();
      resolve(isReady);
    };
    socket.once('data', (data) => end(String(data).startsWith('+PONG')));
    socket.once('error', () => end(false));
    socket.setTimeout(1000, () => end(false));
  });

const COMMANDS = { install, start, stop, status };
await runCommand({
  name: 'redis',
  command: COMMANDS[positionals[0]],
  usage: 'usage: node deploy/components/redis.mjs install|start|stop|status [--port 26390]',
});
