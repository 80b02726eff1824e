import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BuiltUser } from '@sluice/testkit';
import type { Browser, Page } from 'playwright-core';
import { type AdminApi, createAdminApi, dialogOf, press, rowOf, toggle } from './administration-page.ts';
import { findAxeViolations } from './axe.ts';
import { startBrowser, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { takeScreenshot } from './screenshots.ts';
import { fillSignInForm, openSignedIn } from './sign-in.ts';

let console: ConsoleHosts;
let browser: Browser;
let admin: BuiltUser;
let api: AdminApi;
beforeAll(async () => {
  [console, browser] = await Promise.all([startConsoleHosts(), startBrowser()]);
  admin = await console.hosts.build.user(console.hosts.acme, { roles: ['admin'] });
  api = await createAdminApi(console, admin);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
});

const openPrograms = (page: Page): Promise<void> => openSignedIn(page, `${console.url}admin?view=programs`, admin);
const notice = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text).first().waitFor();

async function inspect(page: Page, name: string): Promise<void> {
  await takeScreenshot(page, name);
  expect([name, await findAxeViolations(page)]).toEqual([name, []]);
}

const REDIRECT_URI = 'https://portal.example.com/callback';

/** Returns the address at which a program asks for consent. */
const requestOf = (clientId: string): string => {
  const challenge = createHash('sha256').update('x'.repeat(43)).digest('base64url');
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    scope: 'openid query:run',
  };
  return `${console.hosts.api.url}/auth/acme/oauth2/authorize?${new URLSearchParams(parameters)}`;
};

describe('programs', () => {
  it('are registered with a secret that is shown once', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    await openPrograms(page);
    await page.getByText('No program matches').waitFor();
    await page.getByRole('button', { name: 'New program' }).click();
    await dialogOf(page).getByLabel('Client ID').fill('portal');
    await dialogOf(page).getByLabel('Name', { exact: true }).fill('Data portal');
    await dialogOf(page).getByLabel('Redirect addresses').fill(`${REDIRECT_URI}\nhttps://portal.example.com/other`);
    await toggle(page, 'Limit what it may ask for');
    await toggle(page, 'openid');
    await toggle(page, 'query:run');
    await toggle(page, 'It keeps a secret');
    await inspect(page, 'admin-program-new');
    await press(page, 'Register');
    await dialogOf(page)
      .getByText(/It is shown only now/)
      .waitFor();
    expect(await dialogOf(page).locator('code').textContent()).toMatch(/^[\w-]{43}$/);
    await press(page, 'Close');
    await rowOf(page, 'portal').waitFor();
    await inspect(page, 'admin-programs');
    const { body } = await api.call('GET', '/admin/oauth-clients?q=portal');
    expect(body.data[0]).toMatchObject({
      name: 'Data portal',
      type: 'confidential',
      redirect_uris: [REDIRECT_URI, 'https://portal.example.com/other'],
      scopes: ['openid', 'query:run'],
    });
    expect(guest.faults).toEqual([]);
  });

  it('say what an address must be, and keep what was typed', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    await openPrograms(page);
    await page.getByRole('button', { name: 'New program' }).click();
    await dialogOf(page).getByLabel('Client ID').fill('wrong');
    await dialogOf(page).getByLabel('Name', { exact: true }).fill('Wrong');
    await dialogOf(page).getByLabel('Redirect addresses').fill('http://portal.example.com/callback');
    await press(page, 'Register');
    await dialogOf(page)
      .getByText(/must use https, except for http:\/\/127\.0\.0\.1/)
      .first()
      .waitFor();
    expect(await dialogOf(page).getByLabel('Client ID').inputValue()).toBe('wrong');
  });

  it('show what a change ends, get another secret, and are removed', async () => {
    const program = { name: 'Changed', type: 'confidential', redirect_uris: [REDIRECT_URI] };
    await api.call('POST', '/admin/oauth-clients', { client_id: 'changed', ...program });
    await using guest = await visit(browser);
    const { page } = guest;
    await openPrograms(page);
    await rowOf(page, 'changed').click();
    await toggle(page, 'Limit what it may ask for');
    await toggle(page, 'query:run');
    await dialogOf(page).getByText('Sessions of Changed with more than these scopes end.').waitFor();
    await inspect(page, 'admin-program-change');
    await press(page, 'Save');
    await notice(page, 'Saved Changed.');
    await rowOf(page, 'changed').click();
    await press(page, 'Replace the secret');
    await press(page, 'Replace the secret now');
    await dialogOf(page)
      .getByText(/It is shown only now/)
      .waitFor();
    await press(page, 'Close');
    await rowOf(page, 'changed').click();
    await press(page, 'Delete …');
    await dialogOf(page)
      .getByText(/Users can no longer sign in with Changed/)
      .waitFor();
    await press(page, 'Remove the program');
    await notice(page, 'Deleted Changed.');
    expect((await api.call('GET', '/admin/oauth-clients?q=changed')).body.total).toBe(0);
  });

  it('that are not in the list are allowed by a setting', async () => {
    await using guest = await visit(browser, { language: 'de', theme: 'dark' });
    const { page } = guest;
    await openPrograms(page);
    await page.getByText('Benutzer dürfen Programme erlauben, die nicht in dieser Liste sind').click();
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page
      .getByRole('region', { name: 'Benachrichtigungen' })
      .getByText('Einstellungen der Programme gespeichert.')
      .first()
      .waitFor();
    await inspect(page, 'admin-programs-de');
    expect((await api.call('GET', '/admin/oauth-settings')).body).toEqual({ client_metadata_documents: 'allowed' });
  });
});

describe('my account', () => {
  it('lists a program that the user let log in, and withdraws the consent', async () => {
    const program = { name: 'Reports', type: 'public', redirect_uris: [REDIRECT_URI] };
    await api.call('POST', '/admin/oauth-clients', {
      client_id: 'reports',
      ...program,
      home_page: 'https://portal.example.com',
    });
    const user = await console.hosts.build.user(console.hosts.acme);
    await using guest = await visit(browser);
    const { page } = guest;
    // Nothing listens there: the request to the program is enough.
    const response = () => page.waitForRequest((request) => request.url().startsWith(REDIRECT_URI));
    await page.goto(requestOf('reports'));
    await fillSignInForm(page, user);
    await page.getByRole('heading', { level: 1, name: 'Let Reports log in?' }).waitFor();
    await page.getByText('Learn your e-mail and when you signed in').waitFor();
    await inspect(page, 'program-consent-registered');
    await Promise.all([response(), page.getByRole('button', { name: 'Allow', exact: true }).click()]);
    // The next login asks nothing.
    await Promise.all([response(), page.goto(requestOf('reports')).catch(() => undefined)]);
    const tab = await guest.openTab();
    await tab.goto(`${console.url}account`);
    const consents = tab.getByRole('region', { name: 'Programs that you allowed' });
    await consents.getByText('openid, query:run').waitFor();
    await consents.scrollIntoViewIfNeeded();
    await inspect(tab, 'account-consents');
    await consents.getByRole('button', { name: 'Withdraw the consent: Reports' }).click();
    await tab.getByRole('alertdialog').getByRole('button', { name: 'Withdraw', exact: true }).click();
    await notice(tab, 'Consent withdrawn: Reports.');
    await consents.getByText('No program signs in without asking you').waitFor();
    await tab.goto(requestOf('reports'));
    await tab.getByRole('heading', { level: 1, name: 'Let Reports log in?' }).waitFor();
  });
});
