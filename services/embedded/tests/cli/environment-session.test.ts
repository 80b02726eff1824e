import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { shortOrLong, startCuttingProxy, until } from '@sluice/testkit';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { createCommandRunner } from './create-command-runner.ts';
import { runSluice } from './run-command.ts';

const runCommand = createCommandRunner();
const COMMANDS = shortOrLong(20, 200);
const CATALOG = ['catalog', 'list', '--json'];
/** Note on stderr until the host has read the catalogs for the first time. */
const NO_CATALOGS = 'No catalogs. An administrator reads them with POST /admin/harvest.\n';
const QUERY = ['query', 'SELECT 1 AS one'];

let cli: CliHosts;
beforeAll(async () => {
  cli = await startCliHosts();
}, 120_000);
afterAll(async () => {
  await cli?.[Symbol.asyncDispose]();
});

let folders = 0;
/** Environment of a new account with a folder of configuration of its own. */
async function newAccount(kind: 'user' | 'client' = 'user') {
  folders += 1;
  const configHome = join(cli.home, `environment-${folders}`);
  const { SLUICE_EMAIL: _email, SLUICE_PASSWORD: _password, ...addresses } = cli.analyst;
  const env = { ...addresses, XDG_CONFIG_HOME: configHome };
  const folder = join(configHome, 'sluice', 'sessions');
  if (kind === 'client') {
    const { id, clientId, secret } = await cli.hosts.build.client(cli.hosts.acme, { roles: ['analyst'] });
    return { id, folder, env: { ...env, SLUICE_CLIENT_ID: clientId, SLUICE_CLIENT_SECRET: secret } };
  }
  const { id, email, password } = await cli.hosts.build.user(cli.hosts.acme, { roles: ['analyst'] });
  return { id, folder, env: { ...env, SLUICE_EMAIL: email, SLUICE_PASSWORD: password } };
}

/** Returns how the sessions of an account ended, oldest first; null for an open one. */
async function sessionEnds(id: string): Promise<readonly (string | null)[]> {
  const sql = 'SELECT revoke_reason FROM sessions WHERE account_id = $1 ORDER BY created';
  const rows = await cli.hosts.rows<{ readonly revoke_reason: string | null }>(sql, [id]);
  return rows.map((row) => row.revoke_reason);
}

const expectSuccess = async (words: readonly string[], env: Readonly<Record<string, string>>): Promise<void> => {
  expect(await runCommand(words, { env })).toMatchObject({ exitCode: 0 });
};

it.each(['user', 'client'] as const)('commands in a row leave one session of a %s', async (kind) => {
  const { id, env } = await newAccount(kind);
  for (let index = 0; index < COMMANDS; index += 1) await expectSuccess(index % 2 === 0 ? QUERY : CATALOG, env);
  expect(await sessionEnds(id)).toEqual([null]);
});

it('commands that only ask the stream host open no session of a user', async () => {
  const { id, env } = await newAccount();
  for (const words of [QUERY, ['history'], ['market', 'list']]) await expectSuccess(words, env);
  expect(await sessionEnds(id)).toEqual([]);
});

it('processes that start together share one session', async () => {
  const { id, env } = await newAccount();
  const runs = await Promise.all(Array.from({ length: 5 }, () => runSluice(CATALOG, { env })));
  for (const { exitCode, stderr } of runs) expect([exitCode, stderr.replace(NO_CATALOGS, '')]).toEqual([0, '']);
  expect(await sessionEnds(id)).toEqual([null]);
});

it.each(['user', 'client'] as const)(
  'with SLUICE_CACHE=false a command ends the session of a %s that it opened, also when it fails',
  async (kind) => {
    const { id, env, folder } = await newAccount(kind);
    const uncached = { ...env, SLUICE_CACHE: 'false' };
    await expectSuccess(CATALOG, uncached);
    expect(await runCommand(['catalog', 'show', 'a.b.c'], { env: uncached })).toMatchObject({ exitCode: 1 });
    expect(await sessionEnds(id)).toEqual(['logout', 'logout']);
    await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' });
    const wrong = await runCommand(CATALOG, { env: { ...env, SLUICE_CACHE: 'no' } });
    expect(wrong).toMatchObject({ exitCode: 2, stderr: 'error: SLUICE_CACHE must be true or false.\n' });
  },
);

it('ends the session of a login that Ctrl-C interrupted', async () => {
  const { id, env } = await newAccount();
  await using api = await startCuttingProxy(cli.hosts.api.url);
  api.reply('/auth/login', { delayMs: 500 });
  const run = await runSluice(CATALOG, {
    env: { ...env, SLUICE_API_URL: api.url, SLUICE_CACHE: 'false' },
    onStart: (child) =>
      void until(async () => api.seen.length > 0 || undefined, { what: 'the login' }).then(() => child.kill('SIGINT')),
  });
  expect(run).toMatchObject({ exitCode: 130 });
  expect(await sessionEnds(id)).toEqual(['logout']);
});

it('ends the session with the command where it cannot be kept', async () => {
  const { id, env, folder } = await newAccount();
  await mkdir(join(folder, '..'), { recursive: true, mode: 0o700 });
  await writeFile(folder, 'a file where the folder would be');
  await expectSuccess(CATALOG, env);
  expect(await sessionEnds(id)).toEqual(['logout']);
});

it('keeps the session in a private file that only the password opens', async () => {
  const { id, env, folder } = await newAccount();
  await expectSuccess(CATALOG, env);
  const [name = '', ...others] = await readdir(folder);
  expect(others).toEqual([]);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  const bytes = Buffer.from(await readFile(join(folder, name), 'utf8'), 'base64').toString('latin1');
  expect(bytes).not.toMatch(/token|session|eyJ/i);
  const wrong = await runCommand(CATALOG, { env: { ...env, SLUICE_PASSWORD: 'wrong' } });
  expect(wrong).toMatchObject({ exitCode: 4, stdout: '' });
  expect(wrong.stderr).toMatch(/^error: The e-mail or the password is wrong\.\n/);
  await expectSuccess(CATALOG, env);
  expect(await sessionEnds(id)).toEqual([null]);
});

it('opens another session when the kept one has ended, and logout ends that', async () => {
  const { id, env, folder } = await newAccount();
  await expectSuccess(CATALOG, env);
  await cli.hosts.rows("UPDATE sessions SET revoked_at = now(), revoke_reason = 'test' WHERE account_id = $1", [id]);
  await expectSuccess(CATALOG, env);
  expect(await sessionEnds(id)).toEqual(['test', null]);
  const out = await runCommand(['logout'], { env });
  expect(out).toMatchObject({
    exitCode: 0,
    stdout: '',
    stderr: 'Ended the session that was kept for the credentials of the environment.\n',
  });
  expect(await sessionEnds(id)).toEqual(['test', 'logout']);
  expect(await readdir(folder)).toEqual([]);
  expect(await runCommand(['logout'], { env })).toMatchObject({ exitCode: 1, stdout: '' });
});

it('opens a session where the stream host takes no Basic', async () => {
  const { id, env } = await newAccount();
  await using stream = await startCuttingProxy(cli.hosts.url);
  const body = '{"error":"unauthorized","message":"This address names no tenant, which Basic needs.","request_id":"x"}';
  stream.reply('/query', { status: 401, headers: { 'content-type': 'application/json' }, body });
  await expectSuccess(QUERY, { ...env, SLUICE_STREAM_URL: stream.url });
  expect(await sessionEnds(id)).toEqual([null]);
});
