/**
 * A real Keycloak with the realm of deploy/keycloak/realm.json, in memory, for tests of single sign-on:
 * `node deploy/components/keycloak.mjs install|start|stop|status`. The first install fetches it from Maven Central (about 150 MB).
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CACHE, requireFreePort, runningPid, stopProcess } from './component.mjs';
import { findJava } from './java.mjs';
import { runCommand } from './run-command.mjs';
import { KEYCLOAK_VERSION } from './versions.mjs';

const JAVA_MAJOR_MIN = 17;
const HOST = '127.0.0.1';
const READY_TIMEOUT_MS = 180_000;
const STOP_GRACE_MS = 20_000;
const REALM = fileURLToPath(new URL('../keycloak/realm.json', import.meta.url));

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string', default: '28180' },
    heap: { type: 'string', default: '512m' },
  },
});
const server = join(CACHE, `keycloak-${KEYCLOAK_VERSION}`);
const run = join(CACHE, 'run', `keycloak-${values.port}`);
const pidFile = join(run, 'pid');
const mark = `--http-port=${values.port}`;
const issuer = `http://${HOST}:${values.port}/realms/sluice`;

const say = (sentence) => process.stdout.write(`keycloak: ${sentence}\n`);

function environment(java = findJava(JAVA_MAJOR_MIN)) {
  // biome-ignore lint/style/noProcessEnv: its script finds Java by the environment, and needs the rest of ours
  const { PATH, HOME } = process.env;
  return {
    PATH,
    HOME,
    JAVA_HOME: java,
    JAVA_OPTS_APPEND: '-XX:TieredStopAtLevel=1',
    JAVA_OPTS_KC_HEAP: `-Xms128m -Xmx${values.heap}`,
  };
}

function mustRun(command, args, options = {}) {
  const { error, status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options });
  if (error?.code === 'ENOENT') throw new Error(`\`${command}\` is not on the PATH; it is needed to install Keycloak.`);
  if (status !== 0)
    throw new Error(
      `Keycloak ${KEYCLOAK_VERSION} could not be installed: \`${command}\` failed, as the lines above say.`,
    );
}

/** What is decided when it is built does not take time at every start. */
function install() {
  if (existsSync(server)) return;
  const downloads = join(CACHE, 'download');
  const artifact = `keycloak-quarkus-dist-${KEYCLOAK_VERSION}.tar.gz`;
  const archive = join(downloads, artifact);
  mkdirSync(downloads, { recursive: true });
  if (!existsSync(archive)) {
    say('fetching it ...');
    const coordinates = `-Dartifact=org.keycloak:keycloak-quarkus-dist:${KEYCLOAK_VERSION}:tar.gz`;
    mustRun('mvn', ['-q', '-B', 'dependency:copy', coordinates, `-DoutputDirectory=${downloads}`]);
  }
  const unpacked = `${server}.unpacking`;
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked);
  mustRun('tar', ['xzf', archive, '-C', unpacked, '--strip-components=1']);
  mustRun(join(unpacked, 'bin', 'kc.sh'), ['build', '--db=dev-mem', '--cache=local'], { env: environment() });
  renameSync(unpacked, server);
  rmSync(archive);
  const ofMaven = join(homedir(), '.m2', 'repository', 'org', 'keycloak', 'keycloak-quarkus-dist', KEYCLOAK_VERSION);
  rmSync(ofMaven, { recursive: true, force: true });
  say(`installed in ${server}`);
}

async function start() {
  install();
  if (runningPid(pidFile, mark) !== undefined) return say(`runs already: ${issuer}`);
  await requireFreePort(HOST, Number(values.port));
  rmSync(run, { recursive: true, force: true });
  mkdirSync(run, { recursive: true });
  // It imports what lies here, under this name.
  mkdirSync(join(server, 'data', 'import'), { recursive: true });
  copyFileSync(REALM, join(server, 'data', 'import', 'sluice-realm.json'));
  const log = openSync(join(run, 'server.log'), 'w');
  const http = ['--http-enabled=true', `--http-host=${HOST}`, mark, '--hostname-strict=false'];
  const child = spawn(join(server, 'bin', 'kc.sh'), ['start', '--optimized', '--import-realm', ...http], {
    detached: true,
    stdio: ['ignore', log, log],
    env: environment(),
  });
  closeSync(log);
  writeFileSync(pidFile, String(child.pid));
  child.unref();
  const startedAt = Date.now();
  try {
    await untilReady(child, startedAt + READY_TIMEOUT_MS);
  } catch (thrown) {
    if (child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    throw thrown;
  }
  writeFileSync(pidFile, javaPid(child.pid));
  say(`ready after ${Math.round((Date.now() - startedAt) / 1000)} s: ${issuer}`);
}

/** Its script waits for Java, and would not pass a signal on. */
function javaPid(scriptPid) {
  const [child] = readFileSync(`/proc/${scriptPid}/task/${scriptPid}/children`, 'utf8').trim().split(' ');
  return child || String(scriptPid);
}

async function untilReady(child, deadline) {
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`It ended while it started; ${join(run, 'server.log')} says why.`);
    if (Date.now() > deadline) throw new Error(`It is not ready; ${join(run, 'server.log')} says how far it came.`);
    await delay(100);
  }
}

const isReady = () =>
  fetch(`${issuer}/.well-known/openid-configuration`).then(
    ({ ok }) => ok,
    () => false,
  );

async function stop() {
  const pid = await stopProcess({ pidFile, mark, graceMs: STOP_GRACE_MS });
  say(pid === undefined ? 'does not run' : `stopped (${pid})`);
}

function status() {
  const isUp = runningPid(pidFile, mark) !== undefined;
  say(isUp ? `runs: ${issuer}` : 'does not run');
  if (!isUp) process.exitCode = 3;
}

const COMMANDS = { install, start, stop, status };
await runCommand({
  name: 'keycloak',
  command: COMMANDS[positionals[0]],
  usage: 'usage: node deploy/components/keycloak.mjs install|start|stop|status [--port 28180] [--heap 512m]',
});
