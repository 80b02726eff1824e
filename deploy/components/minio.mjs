/**
 * An S3-compatible server for tests of Trino's spooled protocol: `node deploy/components/minio.mjs install|start|stop|status`.
 * `install` builds MinIO from its source with Go, which takes several minutes; nothing that must be quick asks for it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CACHE, requireFreePort, runningPid, stopProcess } from './component.mjs';
import { runCommand } from './run-command.mjs';
import { MINIO_VERSION } from './versions.mjs';

const HOST = '127.0.0.1';
const READY_TIMEOUT_MS = 30_000;
const STOP_GRACE_MS = 5_000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string', default: '29010' },
    bucket: { type: 'string', default: 'spool' },
    /** On loopback, for tests: they keep nothing from anybody. */
    key: { type: 'string', default: 'sluice-tests' },
    secret: { type: 'string', default: 'sluice-tests' },
  },
});
const binary = join(CACHE, `minio-${MINIO_VERSION}`, 'minio');
const run = join(CACHE, 'run', `minio-${values.port}`);
const pidFile = join(run, 'pid');
const mark = `server --quiet --address ${HOST}:${values.port}`;
const baseUrl = `http://${HOST}:${values.port}`;

const say = (sentence) => process.stdout.write(`minio: ${sentence}\n`);

function install() {
  if (existsSync(binary)) return;
  say('building from source (several minutes) ...');
  // biome-ignore lint/style/noProcessEnv: the rest of the environment is the caller's
  const env = { ...process.env, GOBIN: join(binary, '..'), CGO_ENABLED: '0' };
  const args = ['install', `github.com/minio/minio@${MINIO_VERSION}`];
  const { status, error } = spawnSync('go', args, { stdio: ['ignore', 'inherit', 'inherit'], env });
  if (status !== 0)
    throw new Error(
      `It could not be built: ${error?.message ?? 'the lines above say why'}. Go and its module proxy are needed.`,
    );
}

async function start() {
  install();
  if (runningPid(pidFile, mark) !== undefined) return say(`runs already at ${baseUrl}`);
  await requireFreePort(HOST, Number(values.port));
  rmSync(run, { recursive: true, force: true });
  // A folder of its data is a bucket, so no client is needed to make one.
  mkdirSync(join(run, 'data', values.bucket), { recursive: true });
  const log = openSync(join(run, 'server.log'), 'w');
  const child = spawn(binary, ['server', '--quiet', '--address', `${HOST}:${values.port}`, join(run, 'data')], {
    detached: true,
    stdio: ['ignore', log, log],
    env: {
      HOME: run,
      MINIO_ROOT_USER: values.key,
      MINIO_ROOT_PASSWORD: values.secret,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
      MINIO_CALLHOME_ENABLE: 'off',
    },
  });
  closeSync(log);
  writeFileSync(pidFile, String(child.pid));
  child.unref();
  const startedAt = Date.now();
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`It ended while it started; ${join(run, 'server.log')} says why.`);
    if (Date.now() > startedAt + READY_TIMEOUT_MS)
      throw new Error(`It is not ready; ${join(run, 'server.log')} says why.`);
    await delay(50);
  }
  say(`ready at ${baseUrl} after ${Date.now() - startedAt} ms`);
}

const isReady = () =>
  fetch(`${baseUrl}/minio/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );

async function stop() {
  const pid = await stopProcess({ pidFile, mark, graceMs: STOP_GRACE_MS });
  say(pid === undefined ? 'does not run' : `stopped (${pid})`);
}

function status() {
  const isUp = runningPid(pidFile, mark) !== undefined;
  say(isUp ? `runs at ${baseUrl}` : 'does not run');
  if (!isUp) process.exitCode = 3;
}

const COMMANDS = { install, start, stop, status };
await runCommand({
  name: 'minio',
  command: COMMANDS[positionals[0]],
  usage: 'usage: node deploy/components/minio.mjs install|start|stop|status [--port 29010] [--bucket spool]',
});
