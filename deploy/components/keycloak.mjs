/**
 * A real Keycloak with the realm of deploy/keycloak/realm.json, in memory, for tests of single sign-on:
 * `node deploy/components/keycloak.mjs install|start|stop|status`. The first install fetches it from Maven Central (about 150 MB).
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CACHE } from './component.mjs';
import { componentServer } from './component-server.mjs';
import { installFromMaven } from './install-from-maven.mjs';
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
const home = join(CACHE, `keycloak-${KEYCLOAK_VERSION}`);
const run = join(CACHE, 'run', `keycloak-${values.port}`);
const mark = `--http-port=${values.port}`;
const issuer = `http://${HOST}:${values.port}/realms/sluice`;
const where = () => issuer;
const server = componentServer({ name: 'keycloak', folder: run, mark, where, stopGraceMs: STOP_GRACE_MS });
const { print, stop, status } = server;

function environment(java = findJava(JAVA_MAJOR_MIN)) {
  // biome-ignore lint/style/noProcessEnv: the script of Keycloak finds Java by the environment
  const { PATH, HOME } = process.env;
  return {
    PATH,
    HOME,
    JAVA_HOME: java,
    // Tests change the client of the realm. The server is in memory, and listens on loopback.
    KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
    KC_BOOTSTRAP_ADMIN_PASSWORD: 'admin-of-the-tests',
    JAVA_OPTS_APPEND: '-XX:TieredStopAtLevel=1',
    JAVA_OPTS_KC_HEAP: `-Xms128m -Xmx${values.heap}`,
  };
}

const install = () =>
  installFromMaven({
    group: 'org.keycloak',
    artifact: 'keycloak-quarkus-dist',
    version: KEYCLOAK_VERSION,
    size: '150 MB',
    home,
    print,
    // Built once, so that build options do not cost time at every start.
    prepare: (unpacked, mustRun) =>
      mustRun(join(unpacked, 'bin', 'kc.sh'), ['build', '--db=dev-mem', '--cache=local'], { env: environment() }),
  });

async function start() {
  install();
  if (await server.isStarted({ host: HOST, port: values.port })) return;
  rmSync(run, { recursive: true, force: true });
  mkdirSync(run, { recursive: true });
  // Keycloak imports the realms in this folder.
  mkdirSync(join(home, 'data', 'import'), { recursive: true });
  copyFileSync(REALM, join(home, 'data', 'import', 'sluice-realm.json'));
  const http = ['--http-enabled=true', `--http-host=${HOST}`, mark, '--hostname-strict=false'];
  await server.launch({
    command: join(home, 'bin', 'kc.sh'),
    args: ['start', '--optimized', '--import-realm', ...http],
    isReady,
    readyWithinMs: READY_TIMEOUT_MS,
    everyMs: 100,
    serverPid: javaPid,
    env: environment(),
  });
}

/** Returns the pid of Java: the script of Keycloak waits for it and does not forward signals. */
function javaPid(scriptPid) {
  const [child] = readFileSync(`/proc/${scriptPid}/task/${scriptPid}/children`, 'utf8').trim().split(' ');
  return child || String(scriptPid);
}

const isReady = () =>
  fetch(`${issuer}/.well-known/openid-configuration`).then(
    ({ ok }) => ok,
    () => false,
  );

const COMMANDS = { install, start, stop, status };
await runCommand({
  name: 'keycloak',
  command: COMMANDS[positionals[0]],
  usage: 'usage: node deploy/components/keycloak.mjs install|start|stop|status [--port 28180] [--heap 512m]',
});
