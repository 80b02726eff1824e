import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { pythonPackage } from '@sluice/testkit';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { runSluice } from './run-command.ts';

let cli: CliHosts;
let folder: string;
let session: ChildProcessWithoutNullStreams;
let env: Record<string, string>;

/** Starts an unlocked keyring on a session bus of its own, which ends with its stdin. */
const KEYRING = `
  printf password | gnome-keyring-daemon --foreground --unlock --components=secrets > /dev/null &
  echo "$DBUS_SESSION_BUS_ADDRESS"
  cat > /dev/null
  kill %1`;

beforeAll(async () => {
  cli = await startCliHosts();
  folder = await mkdtemp(join(tmpdir(), 'sluice-keyring-'));
  const runtime = join(folder, 'run');
  await mkdir(runtime, { mode: 0o700 });
  const own = { ...cli.bare, HOME: folder, XDG_RUNTIME_DIR: runtime, XDG_DATA_HOME: join(folder, 'data') };
  session = spawn('dbus-run-session', ['--', 'bash', '-c', KEYRING], { env: own, stdio: 'pipe' });
  const [address] = (await once(createInterface(session.stdout), 'line')) as [string];
  env = { ...own, XDG_CONFIG_HOME: join(folder, 'config'), DBUS_SESSION_BUS_ADDRESS: address };
}, 120_000);
afterAll(async () => {
  if (session !== undefined) {
    session.stdin.end();
    await once(session, 'close');
  }
  await cli?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const logIn = async () => {
  const { email, password } = cli.hosts.ann;
  const hosts = ['--api-url', cli.hosts.api.url, '--stream-url', cli.hosts.url, '--tenant', 'acme'];
  const run = await runSluice(['login', '--email', email, ...hosts], { env, stdin: password });
  expect(run).toMatchObject({ exitCode: 0, stdout: '', stderr: `Logged in as ${email} in acme.\n` });
};

it('keeps the tokens in the keyring and in no file, and removes them at the logout', async () => {
  await logIn();
  const who = await runSluice(['whoami', '--json'], { env });
  expect(who).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(who.stdout)).toMatchObject({ user: cli.hosts.ann.email, credentials: 'keyring' });
  const config = join(folder, 'config', 'sluice');
  expect(await readFile(join(config, 'profiles.json'), 'utf8')).not.toMatch(/token/i);
  expect(await readdir(join(config, 'credentials'))).toEqual([]);
  const out = await runSluice(['logout'], { env });
  expect(out).toMatchObject({ exitCode: 0, stderr: 'Logged out of the profile default.\n' });
  expect(await runSluice(['whoami'], { env })).toMatchObject({ exitCode: 4, stdout: '' });
});

it('says that the keyring cannot be read, and not that there is no login', async () => {
  await logIn();
  const run = await runSluice(['whoami'], { env: { ...env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' } });
  expect(run).toMatchObject({ exitCode: 1, stdout: '' });
  expect(run.stderr).toMatch(/^error: The login cannot be read from the keyring \(secret-tool\): secret-tool says "/);
  expect(await runSluice(['whoami'], { env })).toMatchObject({ exitCode: 0 });
});

const PYTHON = pythonPackage('httpx==0.28.1');
/** Renews a login of the keyring that is old, and prints its user. */
const RENEW = `
import dataclasses, os, pathlib, sluice_client
from sluice_client.credentials import Store
store = Store(pathlib.Path(os.environ["XDG_CONFIG_HOME"]) / "sluice", "default", "keyring")
before = store.read()
store.write(dataclasses.replace(before, obtained_at=0, expires_at=1))
user = sluice_client.connect().me()["user"]
print(user, store.read().refresh_token != before.refresh_token)`;
const PACKAGE = fileURLToPath(new URL('../../../../packages/python/src', import.meta.url));

it('shares the login with the Python package, which renews it in the keyring', async () => {
  await PYTHON.install();
  await logIn();
  const withPython = { ...env, PYTHONPATH: PACKAGE, PYTHONDONTWRITEBYTECODE: '1' };
  const renewed = await promisify(execFile)(PYTHON.python, ['-c', RENEW], { env: withPython });
  expect(renewed).toMatchObject({ stdout: `${cli.hosts.ann.email} True\n`, stderr: '' });
  expect(await runSluice(['whoami'], { env })).toMatchObject({ exitCode: 0, stderr: '' });
  const closed = { ...withPython, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };
  const connect = 'import sluice_client; sluice_client.connect().me()';
  await expect(promisify(execFile)(PYTHON.python, ['-c', connect], { env: closed })).rejects.toThrow(
    'NotLoggedIn: The keyring cannot be used',
  );
}, 120_000);
