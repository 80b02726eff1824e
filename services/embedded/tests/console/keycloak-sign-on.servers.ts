import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createClient } from '@sluice/client';
import { type BuiltUser, createDatabaseProxy, until } from '@sluice/testkit';
import type { Browser, Page } from 'playwright-core';
import { startFullBrowser, type Visit, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { createKeycloakAdmin } from './keycloak-admin.ts';
import { runStatement, statementEditor, untilState } from './query-page.ts';
import { takeScreenshot } from './screenshots.ts';
import { untilPageShown } from './sign-in.ts';

/** Started by `node deploy/components/keycloak.mjs start`. */
// biome-ignore lint/style/noProcessEnv: the server's address depends on the machine
const ISSUER = process.env['SLUICE_TEST_KEYCLOAK'] ?? 'http://127.0.0.1:28180/realms/sluice';
const CLIENT = { client_id: 'sluice', client_secret: 'sluice-keycloak-secret' };
/** Both hosts reject the tokens of an ended session within this time. */
const ENDED_WITHIN_MS = 2_000;

const keycloak = createKeycloakAdmin(ISSUER);

let console: ConsoleHosts;
let browser: Browser;
let ann: BuiltUser;
let setIssuer: (issuer: string) => Promise<unknown>;

beforeAll(async () => {
  const settings = { SSO_PRIVATE_HOSTS: '127.0.0.1:*,localhost:*' };
  [console, browser] = await Promise.all([startConsoleHosts(settings), startFullBrowser()]);
  const { hosts } = console;
  ann = await hosts.build.user(hosts.acme, { email: 'ann@example.com', roles: ['analyst'] });
  const { email, password } = await hosts.build.user(hosts.acme, { roles: ['admin'] });
  const urls = { tenant: 'acme', apiUrl: hosts.api.url, streamUrl: hosts.url };
  const admin = createClient({ ...urls, auth: { email, password } });
  setIssuer = (issuer) => admin.api.putIdentityProvider({ body: { issuer, ...CLIENT } });
  await keycloak.changeClient(CLIENT.client_id, {
    attributes: {
      'backchannel.logout.url': `${hosts.api.url}/auth/backchannel-logout/acme`,
      'backchannel.logout.session.required': 'true',
    },
  });
}, 300_000);
afterAll(async () => {
  await keycloak.changeClient(CLIENT.client_id, { attributes: { 'backchannel.logout.url': '' } });
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await setIssuer(ISSUER);
});

const atKeycloak = (page: Page): Promise<void> => page.waitForURL((url) => url.pathname.startsWith('/realms/sluice/'));

async function fillInAtKeycloak(page: Page): Promise<void> {
  await atKeycloak(page);
  await page.locator('#username').fill('ann');
  await page.locator('#password').fill('ann-at-keycloak');
  await page.keyboard.press('Enter');
}

/** Opens a page of the console, and signs ann in at Keycloak. */
async function signIn(page: Page, url = console.url): Promise<void> {
  await page.goto(url);
  await fillInAtKeycloak(page);
  await untilSignedIn(page);
}
const untilSignedIn = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: `Account of ${ann.email}` }).waitFor();
};
/** Begins the login again on the page that shows why the last one failed. */
const tryAgain = (page: Page): Promise<void> => page.getByRole('link', { name: 'Try again' }).click();
const endedDialog = (page: Page) => page.getByRole('alertdialog', { name: 'Your session has ended' });

/** Tokens that the pages of a visitor have sent, and the origins that got them. */
function watchTokens({ context }: Visit) {
  const origins = new Set<string>();
  let last = '';
  context.on('request', (request) => {
    const { authorization } = request.headers();
    if (authorization === undefined) return;
    last = authorization;
    origins.add(new URL(request.url()).origin);
  });
  return { origins, last: () => last };
}

/** Waits until both hosts reject a token, for at most 2 s. */
async function untilEnded(authorization: string): Promise<void> {
  expect(authorization).toMatch(/^Bearer ./);
  const isEnded = async () => {
    const hosts = [console.hosts.url, console.hosts.api.url];
    const answers = await Promise.all(hosts.map((host) => fetch(`${host}/me`, { headers: { authorization } })));
    return answers.every(({ status }) => status === 401) || undefined;
  };
  await until(isEnded, { what: 'the end of the session on both hosts', withinMs: ENDED_WITHIN_MS });
}

describe('a person who signs in at Keycloak', () => {
  it('works with both hosts, and gets new tokens without noticing', async () => {
    await using guest = await visit(browser);
    const { page, context } = guest;
    const tokens = watchTokens(guest);
    await signIn(page);
    await runStatement(page, 'SELECT 1 AS n');
    await untilState(page, 'Complete');
    expect([...tokens.origins].sort()).toEqual([console.hosts.api.url, console.stream.url].sort());
    const before = tokens.last();
    // The host rejects the token once, as it does when that has expired.
    let isRejected = false;
    await context.route(`${console.stream.url}/query**`, async (route) => {
      if (isRejected || route.request().method() !== 'POST') return await route.fallback();
      isRejected = true;
      const body = JSON.stringify({ error: 'unauthorized', message: 'The token has expired.', request_id: 'x' });
      const headers = {
        'access-control-allow-origin': new URL(console.url).origin,
        'content-type': 'application/json',
      };
      await route.fulfill({ status: 401, headers, body });
    });
    await runStatement(page, 'SELECT 2 AS n');
    await untilState(page, 'Complete');
    expect(isRejected).toBe(true);
    expect(tokens.last()).not.toBe(before);
    expect(guest.faults).toEqual([]);
  });

  it('is signed out within 2 s after a logout at Keycloak, in the browser', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    const tokens = watchTokens(guest);
    await signIn(page);
    await runStatement(page, 'SELECT 1 AS n');
    await untilState(page, 'Complete');
    const tab = await guest.openTab();
    await tab.goto(`${ISSUER}/protocol/openid-connect/logout`);
    await tab.locator('#kc-logout').click();
    await tab.getByRole('heading', { name: 'You are logged out' }).waitFor();
    await untilEnded(tokens.last());
    await runStatement(page, 'SELECT 2 AS n');
    await endedDialog(page).waitFor();
    await takeScreenshot(page, 'keycloak-logged-out');
    const sql = `select metadata->>'issuer' as issuer from audit_log where action = 'LOGOUT' and user_name = $1`;
    expect(await console.hosts.rows(sql, [ann.email])).toContainEqual({ issuer: ISSUER });
  });

  it('is signed out within 2 s when an administrator of Keycloak ends the sessions, everywhere', async () => {
    await using one = await visit(browser);
    await using other = await visit(browser);
    const tokens = [watchTokens(one), watchTokens(other)];
    for (const { page } of [one, other]) {
      await signIn(page);
      await statementEditor(page).waitFor();
    }
    await keycloak.logOutUser('ann');
    await Promise.all(tokens.map(({ last }) => untilEnded(last())));
  });

  it('comes back to the page after the session has expired, and is not asked again', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    await signIn(page);
    const sql = `update sessions set expires = now() where account_id = $1 and revoked_at is null`;
    await console.hosts.rows(sql, [ann.id]);
    await page.goto(`${console.url}marketplace?from=mail#place`);
    await untilSignedIn(page);
    await page.waitForURL(`${console.url}marketplace?from=mail#place`);
    await untilPageShown(page);
    expect(guest.faults).toEqual([]);
  });

  it('reads why the login was not allowed, and can begin again', async () => {
    await keycloak.changeClient(CLIENT.client_id, { consentRequired: true });
    await keycloak.forgetConsent('ann', CLIENT.client_id);
    try {
      await using guest = await visit(browser);
      const { page } = guest;
      await page.goto(console.url);
      await fillInAtKeycloak(page);
      await page.locator('#kc-cancel').click();
      await page.getByText('The identity provider rejected the login (access_denied).').waitFor();
      await takeScreenshot(page, 'keycloak-denied');
      await tryAgain(page);
      await fillInAtKeycloak(page);
      await page.locator('#kc-login[name=accept]').click();
      await untilSignedIn(page);
    } finally {
      await keycloak.changeClient(CLIENT.client_id, { consentRequired: false });
    }
  });

  it('reads that Keycloak is down, works on in an open session, and signs in when it is up again', async () => {
    await using proxy = await createDatabaseProxy(ISSUER);
    await setIssuer(proxy.url);
    await using guest = await visit(browser);
    await using late = await visit(browser);
    await signIn(guest.page);
    proxy.cut();
    await runStatement(guest.page, 'SELECT 1 AS n');
    await untilState(guest.page, 'Complete');
    await late.page.goto(console.url);
    await late.page.getByText('The identity provider is unavailable').waitFor();
    await takeScreenshot(late.page, 'keycloak-down');
    proxy.restore();
    await tryAgain(late.page);
    await fillInAtKeycloak(late.page);
    await untilSignedIn(late.page);
    expect(late.page.url()).toBe(console.url);
  });

  it('signs in in two tabs that were both waiting', async () => {
    await using guest = await visit(browser);
    const first = guest.page;
    const second = await guest.openTab();
    for (const tab of [first, second]) {
      await tab.goto(console.url);
      await tab.locator('#username').waitFor();
    }
    await fillInAtKeycloak(first);
    await untilSignedIn(first);
    await second.bringToFront();
    // Keycloak notices the login of the other tab, at the latest when the form is sent.
    if (await second.locator('#password').isVisible()) await fillInAtKeycloak(second).catch(() => undefined);
    await untilSignedIn(second);
    for (const tab of [first, second]) {
      await runStatement(tab, 'SELECT 1 AS n');
      await untilState(tab, 'Complete');
    }
  });

  it('stays signed in after the back button, and no code is used twice', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    const failed: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 500) failed.push(`${response.status()} ${response.url()}`);
    });
    await signIn(page);
    for (let step = 0; step < 3; step += 1) await page.goBack().catch(() => null);
    await page.goto(console.url);
    await untilSignedIn(page);
    await runStatement(page, 'SELECT 1 AS n');
    await untilState(page, 'Complete');
    expect(failed).toEqual([]);
  });

  it('signs in and works in a browser that blocks third-party cookies, with Keycloak at another site', async () => {
    const issuer = ISSUER.replace('//127.0.0.1', '//localhost');
    await setIssuer(issuer);
    await using guest = await visit(browser);
    const { page, context } = guest;
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.setCookieControls', {
      enableThirdPartyCookieRestriction: true,
    });
    await page.goto(console.url);
    await atKeycloak(page);
    expect(new URL(page.url()).hostname).toBe('localhost');
    await fillInAtKeycloak(page);
    await untilSignedIn(page);
    await runStatement(page, 'SELECT 1 AS n');
    await untilState(page, 'Complete');
    await page.reload();
    await untilSignedIn(page);
    // No browser sends such cookies to a frame or a request of another site.
    const cookies = await context.cookies([console.url, console.hosts.url]);
    expect(cookies.map(({ sameSite }) => sameSite)).toEqual(cookies.map(() => 'Lax'));
    expect(guest.faults).toEqual([]);
  });
});
