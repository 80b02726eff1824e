import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createClient } from '@sluice/client';
import { reservePort, until } from '@sluice/testkit';
import { startIdentityProvider } from '../../src/identity-provider/start-identity-provider.ts';
import { type Browse, createBrowser, logInAtProvider, type Page } from '../log-in-at-provider.ts';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { createCommandRunner } from './create-command-runner.ts';
import { type OpenTerminal, openTerminal } from './open-terminal.ts';
import { runSluice } from './run-command.ts';

/** A person whom only the identity provider knows, so that no password here would let them in. */
const PAT = { email: 'pat@acme.example', password: 'known at the provider only' };
const CLIENT = { clientId: 'sluice-acme', clientSecret: 'a secret of the provider' };

const runCommand = createCommandRunner();

let cli: CliHosts;
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
let addresses: string[];

beforeAll(async () => {
  cli = await startCliHosts();
  const { hosts } = cli;
  addresses = ['--api-url', hosts.api.url, '--stream-url', hosts.url, '--tenant', 'acme'];
  provider = await startIdentityProvider({
    port: await reservePort(),
    people: [{ ...PAT, groups: ['analysts'], about: 'analyst', clientId: CLIENT.clientId }],
    clients: [{ ...CLIENT, redirectUris: [`${hosts.api.url}/auth/callback/acme`], postLogoutRedirectUris: [] }],
  });
  const { email, password } = await hosts.build.user(hosts.acme, { roles: ['admin'] });
  const admin = createClient({
    tenant: 'acme',
    apiUrl: hosts.api.url,
    streamUrl: hosts.url,
    auth: { email, password },
  });
  await admin.api.putIdentityProvider({
    body: {
      issuer: provider.issuer,
      client_id: CLIENT.clientId,
      client_secret: CLIENT.clientSecret,
      scopes: ['openid', 'email', 'groups'],
      groups_claim: 'groups',
      role_mappings: [{ value: 'analysts', roles: ['analyst'] }],
      create_users: true,
    },
  });
}, 120_000);
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]();
  await cli?.[Symbol.asyncDispose]();
});

/** Folder of configuration of one test, and the file to which its browser writes the address that it opens. */
let env: Record<string, string>;
let credentialFile: string;
let openedFile: string;
let folders = 0;

beforeEach(async () => {
  folders += 1;
  const configHome = join(cli.home, `config-${folders}`);
  credentialFile = join(configHome, 'sluice', 'credentials', 'default.json');
  openedFile = join(cli.home, `opened-${folders}`);
  const browser = join(cli.home, `browser-${folders}.sh`);
  await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > "${openedFile}"\n`);
  await chmod(browser, 0o755);
  env = { ...cli.bare, XDG_CONFIG_HOME: configHome, SLUICE_CREDENTIAL_STORE: 'file', BROWSER: browser };
});

const opened = (): Promise<string> =>
  until(async () => (await readFile(openedFile, 'utf8').catch(() => '')) || undefined, { what: 'the browser' });

const HIDDEN = /<input type="hidden" name="([^"]+)" value="([^"]*)">/g;

/** Sends the form of a page with the decision of the user. */
function decide(browse: Browse, { url, text }: Page, decision: 'approve' | 'deny'): Promise<Page> {
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(text) ?? [];
  const form = new URLSearchParams({ decision });
  for (const [, name = '', value = ''] of text.matchAll(HIDDEN)) form.set(name, value.replaceAll('&amp;', '&'));
  return browse(new URL(action, url).href, form);
}

async function logInByBrowser(terminal: OpenTerminal, decision: 'approve' | 'deny'): Promise<Page> {
  await terminal.waitFor('Choose 1, 2 or 3 (Enter: 1):');
  terminal.send('\r');
  const browse = createBrowser();
  const asked = await logInAtProvider(await opened(), PAT.email, PAT.password, browse);
  expect(asked.text).toContain('Sluice command line asks to work in acme as pat@acme.example.');
  return await decide(browse, asked, decision);
}

const stored = async () => JSON.parse(await readFile(credentialFile, 'utf8'));

/** Makes the stored access token look expired. */
async function expire(): Promise<void> {
  const credentials = await stored();
  credentials.access.expiresAt = credentials.access.obtainedAt;
  await writeFile(credentialFile, JSON.stringify(credentials));
}

const tokenStatus = async (refreshToken: string): Promise<number> => {
  const form = { grant_type: 'refresh_token', client_id: 'sluice-cli', refresh_token: refreshToken };
  const url = `${cli.hosts.api.url}/auth/acme/oauth2/token`;
  return (await fetch(url, { method: 'POST', body: new URLSearchParams(form) })).status;
};

describe('a user without a password', () => {
  it('logs in in the browser, works, renews the session in one place, and logs out', async () => {
    using terminal = openTerminal(['login', ...addresses], { env, columns: 120 });
    const page = await logInByBrowser(terminal, 'approve');
    expect([page.status, page.url]).toEqual([200, `${cli.hosts.api.url}/auth/acme/oauth2/finished`]);
    expect(page.text).toContain('You can close this window.');
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen().at(-1)).toBe(`Logged in as ${PAT.email} in acme.`);
    const first = await stored();
    expect(first).toMatchObject({ kind: 'session', clientId: 'sluice-cli' });
    expect((await stat(credentialFile)).mode & 0o777).toBe(0o600);
    const query = await runCommand(['query', 'SELECT 1 AS one', '--format', 'csv'], { env });
    expect(query).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^one\r?\n1\r?\n$/) });
    await expire();
    const runs = await Promise.all(Array.from({ length: 3 }, () => runSluice(['whoami', '--json'], { env })));
    for (const run of runs) expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(runs[0]?.stdout ?? '')).toMatchObject({ user: PAT.email, has_password: false });
    const refreshes = await cli.hosts.rows(
      `select metadata from audit_log where action = 'REFRESH_TOKEN' and user_name = $1`,
      [PAT.email],
    );
    expect(refreshes).toEqual([{ metadata: {} }]);
    const { refreshToken } = await stored();
    expect(refreshToken).not.toBe(first.refreshToken);
    const out = await runCommand(['logout'], { env });
    expect(out).toMatchObject({ exitCode: 0, stderr: 'Logged out of the profile default.\n' });
    expect(await tokenStatus(refreshToken)).toBe(400);
    await expect(stat(credentialFile)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is not logged in by another page that guesses the port, nor by a response of another server', async () => {
    using terminal = openTerminal(['login', '--browser', ...addresses], { env, columns: 120 });
    const request = new URL(await opened());
    const callback = request.searchParams.get('redirect_uri') ?? '';
    const state = request.searchParams.get('state') ?? '';
    for (const query of ['', '?code=x', '?code=x&state=guessed']) {
      expect((await fetch(`${callback}${query}`)).status).toBe(404);
    }
    expect((await fetch(callback, { method: 'POST' })).status).toBe(404);
    expect((await fetch(new URL('/', callback))).status).toBe(404);
    const wrong = await fetch(`${callback}?${new URLSearchParams({ code: 'x', state, iss: 'https://evil.example' })}`);
    expect([wrong.status, await wrong.text()]).toEqual([
      400,
      'The login failed. The terminal says why. You can close this window.\n',
    ]);
    expect(await terminal.exitCode).toBe(1);
    expect(terminal.lines().join(' ')).toContain('The response came from another server');
    await expect(stat(credentialFile)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('keeps nothing when the login is not allowed', async () => {
    using terminal = openTerminal(['login', ...addresses], { env, columns: 120 });
    expect((await logInByBrowser(terminal, 'deny')).status).toBe(400);
    expect(await terminal.exitCode).toBe(1);
    expect(terminal.screen().at(-1)).toBe('error: The login was not allowed in the browser. Nothing was kept.');
    await expect(stat(credentialFile)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('can cancel while the browser is open', async () => {
    using terminal = openTerminal(['login', '--browser', ...addresses], { env, columns: 120 });
    await opened();
    terminal.send('\u0003');
    expect(await terminal.exitCode).toBe(130);
  });
});

describe('a login with a code', () => {
  /** Answers on the page of the code that the command shows. */
  const answer = async (output: string, decision: 'approve' | 'deny'): Promise<Page> => {
    const [, page = '', code = ''] = /Open (\S+) in any browser and enter the code ([A-Z-]+)\./.exec(output) ?? [];
    expect(page).toBe(`${cli.hosts.api.url}/auth/device/acme`);
    const browse = createBrowser();
    await logInAtProvider(page, PAT.email, PAT.password, browse);
    return await decide(browse, await browse(page, new URLSearchParams({ user_code: code })), decision);
  };

  /** Runs the command in a pipe, and answers when it shows the code. */
  async function run(words: readonly string[], decision: 'approve' | 'deny') {
    const pages: Promise<Page>[] = [];
    const ended = runSluice(['login', ...words, ...addresses], {
      env,
      onStart: ({ stderr }) => {
        let text = '';
        stderr.on('data', (chunk: Buffer) => {
          text += chunk.toString();
          if (pages.length === 0 && /enter the code [A-Z-]+\.\n/.test(text)) pages.push(answer(text, decision));
        });
      },
    });
    return { ...(await ended), page: await pages[0] };
  }

  it('is approved in a browser elsewhere', async () => {
    const { page, ...ended } = await run(['--device', '--json'], 'approve');
    expect(page?.text).toContain('Go back to the device.');
    expect(ended.stderr).toContain(
      '\nThe code is valid for 10 minutes. This command waits until the login is allowed there.\n',
    );
    expect(ended.exitCode).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ user: PAT.email, kind: 'user', credentials: 'file' });
    expect(await stored()).toMatchObject({ clientId: 'sluice-cli' });
  });

  it('replaces the browser where there is none, and keeps nothing when it is denied', async () => {
    const { BROWSER: _, ...bare } = env;
    env = bare;
    const { exitCode, stdout, stderr } = await run(['--browser'], 'deny');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('There is no browser here, so use that of another device.\n');
    expect(stderr).toContain('error: The login was not allowed on the page. Nothing was kept.\n');
    await expect(stat(credentialFile)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('SLUICE_TOKEN', () => {
  const withToken = async (): Promise<Record<string, string>> => {
    const { hosts } = cli;
    const { email, password } = hosts.ann;
    const response = await fetch(`${hosts.api.url}/auth/login/acme`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    const { access_token: token } = (await response.json()) as { access_token: string };
    const urls = { SLUICE_API_URL: hosts.api.url, SLUICE_STREAM_URL: hosts.url, SLUICE_TENANT: 'acme' };
    return { ...env, ...urls, SLUICE_TOKEN: token };
  };

  it('is the login of every command, before all others', async () => {
    const given = { ...(await withToken()), SLUICE_EMAIL: 'nobody@acme.example', SLUICE_PASSWORD: 'x' };
    const run = await runCommand(['whoami', '--json'], { env: given });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(run.stdout)).toMatchObject({ user: cli.hosts.ann.email, credentials: 'environment' });
  });

  it('keeps login and logout from changing anything', async () => {
    const given = await withToken();
    const login = await runCommand(['login', '--email', 'a@b.example', ...addresses], { env: given, stdin: 'x' });
    expect(login).toMatchObject({ exitCode: 1, stdout: '' });
    expect(login.stderr).toMatch(/^error: SLUICE_TOKEN is set, and every command uses that instead of a login\./);
    const out = await runCommand(['logout'], { env: given });
    expect(out).toMatchObject({ exitCode: 1, stdout: '' });
    expect(out.stderr).toContain('no session of it is kept');
  });

  it('ends with exit code 4 when it is not valid, and 2 when a header cannot carry it', async () => {
    const given = await withToken();
    const invalid = await runCommand(['whoami'], { env: { ...given, SLUICE_TOKEN: 'not.a.token' } });
    expect(invalid).toMatchObject({ exitCode: 4, stdout: '' });
    const spaced = await runCommand(['whoami'], { env: { ...given, SLUICE_TOKEN: 'a b' } });
    expect(spaced).toMatchObject({ exitCode: 2, stdout: '' });
    expect(spaced.stderr).toMatch(/^error: SLUICE_TOKEN must be an access token/);
  });
});

it('accepts one way to log in only', async () => {
  const run = await runCommand(['login', '--browser', '--device', ...addresses], { env });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('Log in in one way: with --browser, --device, --email EMAIL or --client-id ID.');
});
