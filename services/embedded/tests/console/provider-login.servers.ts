import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createClient } from '@sluice/client';
import { reservePort, until } from '@sluice/testkit';
import type { Browser, Page } from 'playwright-core';
import { startIdentityProvider } from '../../src/identity-provider/start-identity-provider.ts';
import { type CliHosts, startCliHosts } from '../cli/cli-hosts.ts';
import { openTerminal } from '../cli/open-terminal.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';

/** Started by `node deploy/components/keycloak.mjs start`. */
// biome-ignore lint/style/noProcessEnv: the server's address depends on the machine
const KEYCLOAK = process.env['SLUICE_TEST_KEYCLOAK'] ?? 'http://127.0.0.1:28180/realms/sluice';

/** Client of the tenant at the development provider. */
const CLIENT = { clientId: 'sluice-acme', clientSecret: 'a secret of the provider' };
const PAT = { email: 'pat@acme.example', password: 'known at the provider only' };

let cli: CliHosts;
let browser: Browser;
let development: Awaited<ReturnType<typeof startIdentityProvider>>;
let addresses: string[];

beforeAll(async () => {
  [cli, browser] = await Promise.all([startCliHosts(), startBrowser()]);
  const { hosts } = cli;
  addresses = ['--api-url', hosts.api.url, '--stream-url', hosts.url, '--tenant', 'acme'];
  development = await startIdentityProvider({
    port: await reservePort(),
    people: [{ ...PAT, groups: ['analysts'], about: 'analyst', clientId: CLIENT.clientId }],
    clients: [{ ...CLIENT, redirectUris: [`${hosts.api.url}/auth/callback/acme`], postLogoutRedirectUris: [] }],
  });
}, 180_000);
afterAll(async () => {
  await development?.[Symbol.asyncDispose]();
  await browser?.close();
  await cli?.[Symbol.asyncDispose]();
});

interface Provider {
  readonly name: string;
  readonly email: string;
  readonly group: string;
  readonly client: () => { readonly issuer: string; readonly client_id: string; readonly client_secret: string };
  /** Signs the user in on the page of the provider. */
  readonly signIn: (page: Page) => Promise<void>;
}

const PROVIDERS: readonly Provider[] = [
  {
    name: 'Keycloak',
    email: 'bob@example.com',
    group: 'auditors',
    client: () => ({ issuer: KEYCLOAK, client_id: 'sluice', client_secret: 'sluice-keycloak-secret' }),
    signIn: async (page) => {
      await page.waitForURL((url) => url.href.startsWith(KEYCLOAK));
      await page.locator('#username').fill('bob');
      await page.locator('#password').fill('bob-at-keycloak');
      await page.keyboard.press('Enter');
    },
  },
  {
    name: 'the development provider',
    email: PAT.email,
    group: 'analysts',
    client: () => ({
      issuer: development.issuer,
      client_id: CLIENT.clientId,
      client_secret: CLIENT.clientSecret,
    }),
    signIn: async (page) => await page.getByRole('button', { name: PAT.email }).click(),
  },
];

describe.each(PROVIDERS)('a user without a password, at $name', ({ email, group, client, signIn }) => {
  let env: Record<string, string>;
  let credentialFile: string;
  let openedFile: string;
  let guest: Visit;

  beforeAll(async () => {
    const { hosts } = cli;
    const auth = await hosts.build.user(hosts.acme, { roles: ['admin'] });
    const admin = createClient({
      ...{ tenant: 'acme', apiUrl: hosts.api.url, streamUrl: hosts.url },
      auth: { email: auth.email, password: auth.password },
    });
    await admin.api.putIdentityProvider({
      body: {
        ...client(),
        scopes: group === 'analysts' ? ['openid', 'email', 'groups'] : ['openid', 'email'],
        groups_claim: 'groups',
        role_mappings: [{ value: group, roles: ['analyst'] }],
        create_users: true,
      },
    });
    guest = await visit(browser);
  });
  afterAll(async () => await guest?.[Symbol.asyncDispose]());

  let folders = 0;
  beforeEach(async () => {
    folders += 1;
    const folder = join(cli.home, `${group}-${folders}`);
    const configHome = join(folder, 'config');
    credentialFile = join(configHome, 'sluice', 'credentials', 'default.json');
    openedFile = `${folder}-opened`;
    const opener = `${folder}-browser.sh`;
    await writeFile(opener, `#!/bin/sh\nprintf %s "$1" > "${openedFile}"\n`);
    await chmod(opener, 0o755);
    env = { ...cli.bare, XDG_CONFIG_HOME: configHome, SLUICE_CREDENTIAL_STORE: 'file', BROWSER: opener };
  });

  const opened = (): Promise<string> =>
    until(async () => (await readFile(openedFile, 'utf8').catch(() => '')) || undefined, { what: 'the browser' });
  const stored = async () => JSON.parse(await readFile(credentialFile, 'utf8'));

  /** Runs a command in a pseudo terminal, and returns its lines. */
  async function run(words: readonly string[]): Promise<string> {
    using terminal = openTerminal(words, { env, columns: 1000 });
    const exitCode = await terminal.exitCode;
    const text = terminal.lines().join('\n');
    expect([words[0], exitCode, text]).toEqual([words[0], 0, text]);
    return text;
  }

  const statusOf = async (refreshToken: string): Promise<number> => {
    const form = { grant_type: 'refresh_token', client_id: 'sluice-cli', refresh_token: refreshToken };
    const url = `${cli.hosts.api.url}/auth/acme/oauth2/token`;
    return (await fetch(url, { method: 'POST', body: new URLSearchParams(form) })).status;
  };

  async function logOut(): Promise<void> {
    const { refreshToken } = await stored();
    expect(await run(['logout'])).toBe('Logged out of the profile default.');
    expect(await statusOf(refreshToken)).toBe(400);
    await expect(stat(credentialFile)).rejects.toMatchObject({ code: 'ENOENT' });
  }

  it('logs in in the browser, runs a query, renews the session, and logs out', async () => {
    using terminal = openTerminal(['login', ...addresses], { env, columns: 160 });
    await terminal.waitFor('Choose 1, 2 or 3 (Enter: 1):');
    terminal.send('\r');
    const { page, faults } = guest;
    await page.goto(await opened());
    await signIn(page);
    await page.getByText(`asks to work in acme as ${email}.`).waitFor();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Logged in' }).waitFor();
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen().at(-1)).toBe(`Logged in as ${email} in acme.`);
    expect(await run(['query', 'SELECT 40 + 2 AS answer'])).toContain('42');
    const first = await stored();
    await writeFile(credentialFile, JSON.stringify({ ...first, access: { ...first.access, expiresAt: 0 } }));
    expect(JSON.parse(await run(['whoami', '--json']))).toMatchObject({ user: email, has_password: false });
    const next = await stored();
    expect(next.refreshToken).not.toBe(first.refreshToken);
    expect(next).toMatchObject({ kind: 'session', clientId: 'sluice-cli' });
    await logOut();
    expect(faults).toEqual([]);
  });

  it('logs in with a code on a device without a browser', async () => {
    using terminal = openTerminal(['login', '--device', ...addresses], { env, columns: 160 });
    await terminal.waitFor(/enter the code [A-Z-]{9}/);
    const [, address = '', code = ''] = /Open (\S+) in any browser and enter the code ([A-Z-]{9})/.exec(
      terminal.lines().join(''),
    ) ?? ['', '', ''];
    const { page } = guest;
    // The browser is still signed in, so the provider does not ask again.
    await page.goto(address);
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('Go back to the device.').waitFor();
    expect(await terminal.exitCode).toBe(0);
    expect(await run(['query', 'SELECT 40 + 2 AS answer'])).toContain('42');
    await logOut();
  });
});
