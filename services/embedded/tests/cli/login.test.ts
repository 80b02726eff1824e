import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createClient } from '@sluice/client';
import { type BuiltUser, reservePort } from '@sluice/testkit';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { createCommandRunner } from './create-command-runner.ts';
import { openTerminal } from './open-terminal.ts';
import { runSluice } from './run-command.ts';

const runCommand = createCommandRunner();

let cli: CliHosts;
let addresses: string[];

beforeAll(async () => {
  cli = await startCliHosts();
  addresses = ['--api-url', cli.hosts.api.url, '--stream-url', cli.hosts.url, '--tenant', 'acme'];
}, 120_000);
afterAll(async () => {
  await cli?.[Symbol.asyncDispose]();
});

/** Environment with a folder of configuration of its own, so that tests share no login. */
let folders = 0;
function ownFolder(): { readonly env: Record<string, string>; readonly folder: string } {
  folders += 1;
  const configHome = join(cli.home, `config-${folders}`);
  const env = { ...cli.bare, XDG_CONFIG_HOME: configHome, SLUICE_CREDENTIAL_STORE: 'file' };
  return { env, folder: join(configHome, 'sluice') };
}

async function logIn(user: BuiltUser = cli.hosts.ann) {
  const own = ownFolder();
  const run = await runCommand(['login', '--email', user.email, ...addresses], { env: own.env, stdin: user.password });
  expect(run).toMatchObject({ exitCode: 0, stdout: '', stderr: `Logged in as ${user.email} in acme.\n` });
  return { ...own, file: join(own.folder, 'credentials', 'default.json') };
}

const expectLoggedIn = async (env: Readonly<Record<string, string>>, email: string): Promise<void> => {
  const run = await runCommand(['whoami', '--json'], { env });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(run.stdout)).toMatchObject({ user: email, tenant: 'acme' });
};

const admin = async () => {
  const { email, password } = await cli.hosts.build.user(cli.hosts.acme, { roles: ['admin'] });
  return createClient({
    ...{ tenant: 'acme', apiUrl: cli.hosts.api.url, streamUrl: cli.hosts.url },
    auth: { email, password },
  });
};

/** Makes the stored access token look expired. */
async function expire(file: string): Promise<void> {
  const credentials = JSON.parse(await readFile(file, 'utf8'));
  credentials.access.expiresAt = credentials.access.obtainedAt;
  await writeFile(file, JSON.stringify(credentials));
}

it('logs in with a password on stdin, keeps the tokens in a private file, and never the password', async () => {
  const { env, folder, file } = await logIn();
  await expectLoggedIn(env, cli.hosts.ann.email);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, 'credentials'))).mode & 0o777).toBe(0o700);
  expect(await readdir(join(folder, 'credentials'))).toEqual(['default.json']);
  for (const path of [file, join(folder, 'profiles.json')])
    expect(await readFile(path, 'utf8')).not.toContain(cli.hosts.ann.password);
});

it('logs in with a client secret on stdin, and works again when the token has expired', async () => {
  const { env, folder } = ownFolder();
  const { clientId, secret } = await cli.hosts.build.client(cli.hosts.acme);
  const words = ['login', '--client-id', clientId, ...addresses, '--json'];
  const run = await runCommand(words, { env, stdin: `${secret}\n` });
  expect(run).toMatchObject({ exitCode: 0, stderr: `Logged in as ${clientId} in acme.\n` });
  expect(JSON.parse(run.stdout)).toMatchObject({
    profile: 'default',
    user: clientId,
    kind: 'client',
    credentials: 'file',
  });
  await expire(join(folder, 'credentials', 'default.json'));
  await expectLoggedIn(env, clientId);
  const out = await runCommand(['logout'], { env });
  expect(out).toMatchObject({ exitCode: 0, stdout: '', stderr: 'Logged out of the profile default.\n' });
});

it('says why it keeps the login in a file, when there is no keyring', async () => {
  const { env } = ownFolder();
  const { SLUICE_CREDENTIAL_STORE: _, ...any } = env;
  const { email, password } = cli.hosts.ann;
  const options = { env: { ...any, PATH: '/nowhere' }, stdin: password };
  // In a process of its own: the keyring's program is found by the PATH of the process.
  const run = await runSluice(['login', '--email', email, ...addresses], options);
  expect(run).toMatchObject({ exitCode: 0, stdout: '' });
  expect(run.stderr).toContain('because no keyring is available: secret-tool is not installed.');
  const demanded = { env: { ...any, PATH: '/nowhere', SLUICE_CREDENTIAL_STORE: 'keyring' }, stdin: password };
  const refused = await runSluice(['login', '--email', email, ...addresses], demanded);
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
  expect(refused.stderr).toBe('error: The login cannot be kept in the keyring: secret-tool is not installed.\n');
});

it('asks for the password without showing it', async () => {
  const { env } = ownFolder();
  const { email, password } = cli.hosts.ann;
  using terminal = openTerminal(['login', '--email', email, ...addresses], { env, columns: 120 });
  await terminal.waitFor('Password:');
  terminal.send(`wrong\u0015${password}x\u007f\u001b[D\r`);
  expect(await terminal.exitCode).toBe(0);
  expect(terminal.screen()).toEqual(['Password: ', `Logged in as ${email} in acme.`]);
  expect(terminal.raw()).not.toContain(password);
  expect(terminal.raw()).not.toContain('wrong');
  await expectLoggedIn(env, email);
});

it('asks on a terminal for everything that no option says', async () => {
  const { env } = ownFolder();
  const { email, password } = cli.hosts.ann;
  using terminal = openTerminal(['login'], { env, columns: 100 });
  const answers = [
    ['Choose 1, 2 or 3 (Enter: 1):', '2'],
    ['E-mail:', email],
    ['URL of the API host:', cli.hosts.api.url],
    ['Tenant:', 'acme'],
    ['URL of the stream host:', cli.hosts.url],
    ['Password:', password],
  ] as const;
  for (const [question, answer] of answers) {
    await terminal.waitFor(question);
    terminal.send(`${answer}\r`);
  }
  expect(await terminal.exitCode).toBe(0);
  expect(terminal.screen().at(-1)).toBe(`Logged in as ${email} in acme.`);
  expect(terminal.raw()).not.toContain(password);
});

it('is cancelled by Ctrl-C at the password, and leaves the terminal as it was', async () => {
  const { env, folder } = ownFolder();
  using terminal = openTerminal(['login', '--email', 'ann@acme.example', ...addresses], { env });
  await terminal.waitFor('Password:');
  terminal.send('secret\u0003');
  expect(await terminal.exitCode).toBe(130);
  expect(terminal.screen()).toEqual(['Password: ', 'Cancelled.']);
  await expect(stat(join(folder, 'profiles.json'))).rejects.toMatchObject({ code: 'ENOENT' });
});

it('needs an option that says how without a terminal, and a secret on stdin', async () => {
  const { env } = ownFolder();
  const neither = await runCommand(['login', ...addresses], { env });
  expect(neither).toMatchObject({ exitCode: 2, stdout: '' });
  expect(neither.stderr).toBe(
    'error: Choose how to log in: with --browser, --device, --email EMAIL or --client-id ID. A password or secret is read from stdin.\n',
  );
  const empty = await runCommand(['login', '--email', 'ann@acme.example', ...addresses], { env });
  expect(empty).toMatchObject({ exitCode: 2, stdout: '' });
  expect(empty.stderr).toContain('The password is read from stdin, which is empty.');
  const missing = await runCommand(['login', '--email', 'ann@acme.example'], { env, stdin: 'x' });
  expect(missing).toMatchObject({ exitCode: 2, stderr: 'error: Give --api-url, or set SLUICE_API_URL.\n' });
});

it('rejects a wrong password with exit code 4, and keeps nothing', async () => {
  const { env, folder } = ownFolder();
  const words = ['login', '--email', cli.hosts.ann.email, ...addresses];
  const run = await runCommand(words, { env, stdin: 'wrong' });
  expect(run).toMatchObject({ exitCode: 4, stdout: '' });
  expect(run.stderr).toMatch(/^error: The e-mail or the password is wrong\.\n/);
  await expect(stat(join(folder, 'profiles.json'))).rejects.toMatchObject({ code: 'ENOENT' });
});

it('explains that the credentials of the environment win, and stops', async () => {
  const run = await runCommand(['login', '--email', cli.hosts.ann.email], { env: cli.analyst, stdin: 'x' });
  expect(run).toMatchObject({ exitCode: 1, stdout: '' });
  expect(run.stderr).toMatch(/^error: SLUICE_EMAIL and SLUICE_PASSWORD are set, and every command uses that/);
});

it('logout ends the session on the hosts and removes the tokens', async () => {
  const { env, file } = await logIn();
  const { refreshToken, access } = JSON.parse(await readFile(file, 'utf8'));
  // Also when the access token has expired.
  await expire(file);
  const out = await runCommand(['logout'], { env });
  expect(out).toMatchObject({ exitCode: 0, stdout: '', stderr: 'Logged out of the profile default.\n' });
  await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
  const refresh = await fetch(`${cli.hosts.api.url}/auth/refresh/acme`, {
    method: 'POST',
    body: new URLSearchParams({ refresh_token: refreshToken }),
  });
  expect(refresh.status).toBe(400);
  const me = await fetch(`${cli.hosts.api.url}/me`, {
    headers: { authorization: `Bearer ${access.value}` },
  });
  expect(me.status).toBe(401);
  const after = await runCommand(['whoami'], { env });
  expect(after).toMatchObject({ exitCode: 4, stdout: '' });
  expect(after.stderr).toBe('error: You are not logged in to the profile default. Run `sluice login`.\n');
});

it('10 processes with an expired access token share one refresh, and the session lives on', async () => {
  const user = await cli.hosts.build.user(cli.hosts.acme);
  const { env, file } = await logIn(user);
  await expire(file);
  const before = JSON.parse(await readFile(file, 'utf8'));
  const runs = await Promise.all(Array.from({ length: 10 }, () => runSluice(['whoami', '--json'], { env })));
  for (const run of runs) expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  const after = JSON.parse(await readFile(file, 'utf8'));
  expect(after.refreshToken).not.toBe(before.refreshToken);
  const refreshes = await cli.hosts.rows(
    "SELECT action FROM audit_log WHERE action LIKE 'REFRESH_TOKEN%' AND user_name = $1",
    [user.email],
  );
  expect(refreshes).toEqual([{ action: 'REFRESH_TOKEN' }]);
  await expire(file);
  await expectLoggedIn(env, user.email);
});

it('says with exit code 4 that an admin has ended the session', async () => {
  const user = await cli.hosts.build.user(cli.hosts.acme);
  const { env } = await logIn(user);
  const { api } = await admin();
  const { data } = await api.listSessions();
  const session = data.find((each) => each.user === user.email);
  await api.endSession({ params: { id: session?.id ?? '' } });
  const run = await runCommand(['whoami'], { env });
  expect(run).toMatchObject({ exitCode: 4, stdout: '' });
  expect(run.stderr).toBe('error: Your session has ended. Run `sluice login`.\n');
});

it('says with exit code 4 that the account was disabled, at a command and at the login', async () => {
  const user = await cli.hosts.build.user(cli.hosts.acme);
  const { env } = await logIn(user);
  const { api } = await admin();
  await api.updateUser({ params: { id: user.id }, body: { disabled: true } });
  const run = await runCommand(['whoami'], { env });
  expect(run).toMatchObject({ exitCode: 4, stdout: '' });
  const again = await runCommand(['login', '--email', user.email, ...addresses], { env, stdin: user.password });
  expect(again).toMatchObject({ exitCode: 4, stdout: '' });
});

it.each([
  ['is open to others', 0o644, /is open to other users \(mode 0644\), so it is not used\. Run `chmod 600 /],
  ['is damaged', 0o600, /does not contain a login of sluice/],
])('a credential file that %s is an error, and not "not logged in"', async (what, mode, message) => {
  const { env, file } = await logIn();
  if (what === 'is damaged') await writeFile(file, '{');
  await chmod(file, mode);
  const run = await runCommand(['whoami'], { env });
  expect(run).toMatchObject({ exitCode: 1, stdout: '' });
  expect(run.stderr).toMatch(message);
  expect(run.stderr).not.toContain('not logged in');
});

it('says in one sentence that a host is unknown, or refuses the connection', async () => {
  const { env } = ownFolder();
  const login = (url: string) => {
    const words = ['login', '--email', 'a@b.example', '--tenant', 'acme', '--api-url', url, '--stream-url', url];
    return runCommand(words, { env, stdin: 'x' });
  };
  const unknown = await login('http://acme-api.sluice.invalid');
  expect(unknown).toMatchObject({ exitCode: 1, stdout: '' });
  expect(unknown.stderr).toContain(
    'error: acme-api.sluice.invalid was not found in DNS. Check the name and the network.\n',
  );
  const closed = `127.0.0.1:${await reservePort()}`;
  const refused = await login(`http://${closed}`);
  expect(refused.stderr).toBe(
    `error: ${closed} refused the connection. Check the port, and that the host is running.\n`,
  );
});
