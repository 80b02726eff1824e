/** Starts nginx and HAProxy with the files of this folder. Only addresses, ports and paths in them are replaced, and times if asked. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@sluice/embedded/postgres';
import { until } from '@sluice/testkit';
import { makeAuthority, makeCertificate } from '../../components/certificates.mjs';
import { childrenOf } from '../../docker/process-figures.mjs';
import { VERSIONS } from './tls-client.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const NGINX_FILE = join(ROOT, 'deploy/proxies/nginx/sluice.conf');
const HAPROXY_FILE = join(ROOT, 'deploy/proxies/haproxy/haproxy.cfg');
const READY_WITHIN_MS = 30_000;
/** Times of idle streams, which are scaled together with the interval of heartbeats. */
const IDLE_TIMES = /((?:proxy_read_timeout|timeout server|set-timeout server) )(\d+)s/g;

/** Installs both proxies. */
export function installProxies() {
  for (const name of ['nginx', 'haproxy']) {
    const script = join(ROOT, 'deploy/components/programs.mjs');
    assert.equal(spawnSync(process.execPath, [script, 'install', name], { stdio: 'inherit' }).status, 0, `no ${name}`);
  }
}

/** Creates an authority and one certificate for all host names of the domain. */
export function makeCertificates(folder, domain) {
  mkdirSync(folder);
  makeAuthority(folder, 'ca');
  makeCertificate(folder, { name: 'sluice', subject: domain, hosts: [`*.${domain}`] });
  const both = ['sluice.crt', 'sluice.key'].map((name) => readFileSync(join(folder, name), 'utf8'));
  writeFileSync(join(folder, 'sluice.pem'), both.join(''));
  return readFileSync(join(folder, 'ca.crt'), 'utf8');
}

/** Replaces the text, which must be in the configuration. */
function replace(text, from, to) {
  const result = text.replaceAll(from, to);
  assert.notEqual(result, text, `the configuration lacks ${from}`);
  return result;
}

const scaled = (text, scale) =>
  scale === 1 ? text : replace(text, IDLE_TIMES, (_, name, seconds) => `${name}${Number(seconds) * scale}s`);

/** Ports for https and http at the address. */
const freePorts = async () => ({ https: await findFreePort(), http: await findFreePort() });

async function untilListening(child, { address, port, output }) {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    assert.equal(child.exitCode, null, output());
    const socket = connect({ host: address, port });
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    assert.ok(Date.now() < deadline, `no port is open: ${output()}`);
    await delay(50);
  }
}

/** Whether a worker process of nginx has ended, or ends with its last connection. */
function isEnding(pid) {
  try {
    const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return title === '' || title.includes('shutting down');
  } catch {
    return true;
  }
}

function launch(command, args, resources) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (more) => (text += more));
  const exited = once(child, 'exit');
  resources.add({
    async [Symbol.asyncDispose]() {
      // nginx and HAProxy end immediately, with their other processes.
      child.kill('SIGTERM');
      await exited;
    },
  });
  return { child, output: () => text };
}

/**
 * Starts nginx.
 * @param options.endpoints - addresses of the hosts with their ports, by `api` and `stream`
 * @param options.scale - factor of the time-outs of idle streams
 */
export async function startNginx({ name, folder, certificates, address, endpoints, scale = 1, resources }) {
  const own = join(folder, name);
  mkdirSync(own);
  chmodSync(own, 0o755);
  const ports = await freePorts();
  const log = join(own, 'access.log');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = temporary.map((kind) => `${kind}_temp_path ${own}/temp/${kind};`).join(' ');
  mkdirSync(join(own, 'temp'));
  const main = `pid ${own}/pid; worker_processes 2; daemon off; error_log stderr; events { worker_connections 2048; }
    http { ${paths} include ${own}/sluice.conf; }`;
  writeFileSync(join(own, 'nginx.conf'), main);

  let reload = Promise.resolve();
  const endReload = async (changed) => {
    const before = childrenOf(child.pid);
    writeConfiguration(changed);
    child.kill('SIGHUP');
    await until(() => before.every(isEnding) || undefined, { what: 'the reload of nginx', withinMs: 60_000 });
  };

  function writeConfiguration({ api, stream }) {
    let text = scaled(readFileSync(NGINX_FILE, 'utf8'), scale);
    const servers = (list) => list.map((each) => `server ${each};`).join(' ');
    text = replace(text, /server 10\.0\.0\.11:8080;\s+server 10\.0\.0\.12:8080;/g, servers(api));
    text = replace(text, /server 10\.0\.0\.21:8081;\s+server 10\.0\.0\.22:8081;/g, servers(stream));
    text = replace(text, 'listen 443 ', `listen ${address}:${ports.https} `);
    text = replace(text, /listen 80\b/g, `listen ${address}:${ports.http}`);
    text = replace(text, '/etc/nginx/certificates', certificates);
    writeFileSync(join(own, 'sluice.conf'), replace(text, '/var/log/nginx/sluice.log', log));
  }

  writeConfiguration(endpoints);
  const { child, output } = launch('nginx', ['-p', own, '-c', join(own, 'nginx.conf'), '-e', 'stderr'], resources);
  await untilListening(child, { address, port: ports.https, output });
  return {
    name: 'nginx',
    versions: VERSIONS,
    address,
    port: ports.https,
    httpPort: ports.http,
    pid: child.pid,
    /** Replaces the hosts, as a controller does. Resolves when the processes before accept no requests. */
    setEndpoints(changed) {
      reload = reload.then(() => endReload(changed));
      return reload;
    },
    log: () => readFileSync(log, 'utf8'),
    errors: output,
    /** Files in which nginx keeps bodies. */
    temporaryFiles: () =>
      readdirSync(join(own, 'temp'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  };
}

/** Starts HAProxy. It looks itself which of the endpoints are ready. */
export async function startHaproxy({ name, folder, certificates, address, endpoints, scale = 1, resources }) {
  const own = join(folder, name);
  mkdirSync(own);
  const ports = await freePorts();
  let text = scaled(readFileSync(HAPROXY_FILE, 'utf8'), scale);
  const servers = (list, kind) => list.map((each, index) => `server ${kind}-${index + 1} ${each}`).join('\n    ');
  text = replace(text, /server api-1 \S+\n\s+server api-2 \S+/g, servers(endpoints.api, 'api'));
  text = replace(text, /server stream-1 \S+\n\s+server stream-2 \S+/g, servers(endpoints.stream, 'stream'));
  text = replace(text, 'bind :443 ', `bind ${address}:${ports.https} `);
  text = replace(text, 'bind :80\n', `bind ${address}:${ports.http}\n`);
  text = replace(text, '/etc/haproxy/certificates', certificates);
  const file = join(own, 'haproxy.cfg');
  writeFileSync(file, text);
  const { child, output } = launch('haproxy', ['-db', '-f', file], resources);
  await untilListening(child, { address, port: ports.https, output });
  return {
    name: 'HAProxy',
    versions: ['HTTP/1.1'],
    address,
    port: ports.https,
    httpPort: ports.http,
    pid: child.pid,
    async setEndpoints() {},
    log: output,
    errors: output,
    temporaryFiles: () => [],
  };
}
