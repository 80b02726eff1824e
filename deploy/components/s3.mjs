/**
 * An S3-compatible server for tests of kept results: `node deploy/components/s3.mjs install|start|stop|status`. It is moto from PyPI, which
 * holds everything in memory. SLUICE_TEST_S3 names another one, such as MinIO (minio.mjs), whose build takes many minutes.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CACHE } from './component.mjs';
import { componentServer } from './component-server.mjs';
import { installPythonTools } from './python-tools.mjs';
import { runCommand } from './run-command.mjs';

const HOST = '127.0.0.1';
const READY_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 5_000;
const REQUIREMENTS = fileURLToPath(new URL('s3-requirements.txt', import.meta.url));

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string', default: '29011' } },
});
const run = join(CACHE, 'run', `s3-${values.port}`);
const mark = `moto_server -H ${HOST} -p ${values.port}`;
const baseUrl = `http://${HOST}:${values.port}`;
const server = componentServer({ name: 's3', folder: run, mark, where: () => baseUrl, stopGraceMs: STOP_GRACE_MS });
const { stop, status } = server;

const install = () => join(installPythonTools('s3-moto', REQUIREMENTS), 'moto_server');

async function start() {
  const binary = install();
  if (await server.isStarted({ host: HOST, port: values.port })) return;
  rmSync(run, { recursive: true, force: true });
  mkdirSync(run, { recursive: true });
  await server.launch({
    command: binary,
    args: ['-H', HOST, '-p', values.port],
    isReady,
    readyWithinMs: READY_TIMEOUT_MS,
    everyMs: 100,
  });
}

const isReady = () =>
  fetch(`${baseUrl}/moto-api/`).then(
    ({ ok }) => ok,
    () => false,
  );

const COMMANDS = { install, start, stop, status };
await runCommand({
  name: 's3',
  command: COMMANDS[positionals[0]],
  usage: 'usage: node deploy/components/s3.mjs install|start|stop|status [--port 29011]',
});
