/**
 * An S3-compatible server for tests of Trino's spooled protocol: `node deploy/components/minio.mjs install|start|stop|status`.
 * `install` builds MinIO from its source with Go, which takes several minutes, so no quick test uses it.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CACHE } from './component.mjs';
import { componentServer } from './component-server.mjs';
import { installGoTool } from './go-tools.mjs';
import { runCommand } from './run-command.mjs';

const HOST = '127.0.0.1';
const READY_TIMEOUT_MS = 30_000;
const STOP_GRACE_MS = 5_000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string', default: '29010' },
    bucket: { type: 'string', default: 'spool' },
    /** Credentials of a test server on loopback; they protect nothing. */
    key: { type: 'string', default: 'sluice-tests' },
    secret: { type: 'string', default: 'sluice-tests' },
  },
});
const run = join(CACHE, 'run', `minio-${values.port}`);
const mark = `server --quiet --address ${HOST}:${values.port}`;
const baseUrl = `http://${HOST}:${values.port}`;
const where = () => baseUrl;
const server = componentServer({ name: 'minio', folder: run, mark, where, stopGraceMs: STOP_GRACE_MS });
const { stop, status } = server;

const install = () => installGoTool('minio');

async function start() {
  const binary = install();
  if (await server.isStarted({ host: HOST, port: values.port })) return;
  rmSync(run, { recursive: true, force: true });
  // Each folder in the data folder is a bucket, so no client is needed to create one.
  mkdirSync(join(run, 'data', values.bucket), { recursive: true });
  await server.launch({
    command: binary,
    args: ['server', '--quiet', '--address', `${HOST}:${values.port}`, join(run, 'data')],
    isReady,
    readyWithinMs: READY_TIMEOUT_MS,
    everyMs: 50,
    env: {
      HOME: run,
      MINIO_ROOT_USER: values.key,
      MINIO_ROOT_PASSWORD: values.secret,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
      MINIO_CALLHOME_ENABLE: 'off',
    },
  });
}

const isReady = () =>
  fetch(`${baseUrl}/minio/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );

const COMMANDS = { install, start, stop, status };
await runCommand({
  name: 'minio',
  command: COMMANDS[positionals[0]],
  usage: 'usage: node deploy/components/minio.mjs install|start|stop|status [--port 29010] [--bucket spool]',
});
