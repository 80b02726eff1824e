/**
 * A real Trino of one node for tests and benchmarks: `node deploy/components/trino.mjs install|start|stop|status`.
 * The first installation fetches 821 MB from Maven Central and keeps about 200 MB of it.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CACHE } from './component.mjs';
import { componentServer } from './component-server.mjs';
import { installFromMaven } from './install-from-maven.mjs';
import { findJava } from './java.mjs';
import { runCommand } from './run-command.mjs';
import { configurationFiles } from './trino-configuration.mjs';
import { makeSecurity } from './trino-security.mjs';
import { TRINO_VERSION } from './versions.mjs';

/** The server is compiled for Java 24. */
const JAVA_MAJOR_MIN = 24;
/** Plugins to keep. A PostgreSQL catalog needs the Geometry type of `geospatial` and fails without it with a misleading message. */
const PLUGINS = new Set([
  ...['tpch', 'tpcds', 'memory', 'blackhole', 'jmx', 'postgresql', 'geospatial'],
  ...['resource-group-managers', 'session-property-managers', 'password-authenticators', 'spooling-filesystem'],
]);
const HOST = '127.0.0.1';
const READY_TIMEOUT_MS = 240_000;
const STOP_GRACE_MS = 30_000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string', default: '28090' },
    heap: { type: 'string', default: '2G' },
    java: { type: 'string' },
    /** 1: starts in two thirds of the CPU time; 4: runs as in production. */
    compiler: { type: 'string', default: '1' },
    /** An S3-compatible store for the spooled protocol: endpoint, location (s3://bucket/prefix/), key and secret. */
    's3-endpoint': { type: 'string' },
    's3-location': { type: 'string' },
    's3-key': { type: 'string' },
    's3-secret': { type: 'string' },
    /** Source from which clients fetch segments: `coordinator_proxy`, `worker_proxy`, `coordinator_storage_redirect` or `storage`. */
    's3-retrieval': { type: 'string', default: 'coordinator_proxy' },
    'client-timeout': { type: 'string', default: '5m' },
    /** Serves HTTPS on this port too, with authentication by password, JWT or certificate; the files are in `run/trino-PORT/security`. */
    'https-port': { type: 'string' },
    /** Address that gets Trino's own traces, by OTLP over HTTP with Protocol Buffers. */
    'traces-endpoint': { type: 'string' },
  },
});
const home = join(CACHE, `trino-server-${TRINO_VERSION}`);
const run = join(CACHE, 'run', `trino-${values.port}`);
const mark = `-Dconfig=${join(run, 'etc', 'config.properties')}`;
const baseUrl = `http://${HOST}:${values.port}`;
const where = () => baseUrl;
const server = componentServer({ name: 'trino', folder: run, mark, where, stopGraceMs: STOP_GRACE_MS });
const { print, stop, status } = server;

const install = () =>
  installFromMaven({
    group: 'io.trino',
    artifact: 'trino-server',
    version: TRINO_VERSION,
    size: '821 MB',
    home,
    print,
    prepare(unpacked) {
      // Jars of plugins are hard links to one another, so all are unpacked before any is removed.
      for (const name of readdirSync(join(unpacked, 'plugin')))
        if (!PLUGINS.has(name)) rmSync(join(unpacked, 'plugin', name), { recursive: true });
    },
  });

async function start() {
  install();
  if (await server.isStarted({ host: HOST, port: values.port })) return;
  rmSync(run, { recursive: true, force: true });
  const security = join(run, 'security');
  mkdirSync(security, { recursive: true });
  if (values['https-port'] !== undefined) makeSecurity(security);
  for (const [path, text] of Object.entries(configurationFiles({ ...values, host: HOST, security }))) {
    mkdirSync(join(run, 'etc', path, '..'), { recursive: true });
    writeFileSync(join(run, 'etc', path), text);
  }
  const java = values.java ?? findJava(JAVA_MAJOR_MIN);
  const args = ['run', `--etc-dir=${join(run, 'etc')}`, `--data-dir=${join(run, 'data')}`];
  await server.launch({
    command: join(home, 'bin', 'launcher'),
    args: [...args, `--launcher-config=${join(home, 'bin', 'launcher.properties')}`],
    isReady: runsQueries,
    readyWithinMs: READY_TIMEOUT_MS,
    everyMs: 250,
    // biome-ignore lint/style/noProcessEnv: the launcher finds Java by the environment
    env: { ...process.env, JAVA_HOME: java, PATH: `${join(java, 'bin')}:${process.env.PATH}` },
  });
}

/** Checks readiness with a query: the server responds to HTTP requests before it can run queries. */
async function runsQueries() {
  const headers = { 'X-Trino-User': 'sluice' };
  try {
    const request = { method: 'POST', headers, body: 'SELECT count(*) FROM tpch.tiny.nation' };
    let page = await (await fetch(`${baseUrl}/v1/statement`, request)).json();
    while (page.nextUri !== undefined) page = await (await fetch(page.nextUri, { headers })).json();
    return page.error === undefined;
  } catch {
    return false;
  }
}

const COMMANDS = { install, start, stop, status };
await runCommand({
  name: 'trino',
  command: COMMANDS[positionals[0]],
  usage: 'usage: node deploy/components/trino.mjs install|start|stop|status [--port 28090]',
});
