import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type BuiltUser, CLIENT_ID, CLIENT_SECRET, type OpenIdProvider, startOpenIdProvider } from '@sluice/testkit';
import type { Browser, Locator, Page } from 'playwright-core';
import { type AdminApi, createAdminApi, dialogOf, press } from './administration-page.ts';
import { findAxeViolations } from './axe.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { takeScreenshot } from './screenshots.ts';
import { fillSignInForm, untilPageShown } from './sign-in.ts';

let console: ConsoleHosts;
let browser: Browser;
let provider: OpenIdProvider;
let admin: BuiltUser;
let api: AdminApi;
beforeAll(async () => {
  [console, browser, provider] = await Promise.all([
    startConsoleHosts({ SSO_PRIVATE_HOSTS: '127.0.0.1:*' }),
    startBrowser(),
    startOpenIdProvider(),
  ]);
  admin = await console.hosts.build.user(console.hosts.acme, { roles: ['admin'] });
  api = await createAdminApi(console, admin);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await provider?.[Symbol.asyncDispose]();
  await console?.[Symbol.asyncDispose]();
});

let guest: Visit;
let page: Page;
beforeEach(async () => {
  await api.call('DELETE', '/admin/identity-provider');
  guest = await visit(browser);
  page = guest.page;
});
afterEach(async () => {
  await guest[Symbol.asyncDispose]();
  expect(guest.faults).toEqual([]);
});

/** Opens the page with a password: the login of a tenant with an identity provider begins there. */
async function open(): Promise<void> {
  const returnTo = encodeURIComponent('/console/admin?view=provider');
  await page.goto(`${console.hosts.api.url}/auth/sign-in/acme?return_to=${returnTo}`);
  await fillSignInForm(page, admin);
  await untilPageShown(page);
}
const field = (name: string): Locator => page.getByRole('textbox', { name, exact: true });
const save = (): Promise<void> => page.getByRole('button', { name: 'Save' }).click();
const notice = (text: string) => page.getByRole('region', { name: 'Notifications' }).getByText(text).waitFor();
const stored = async () => (await api.call('GET', '/admin/identity-provider')).body;
const configure = (more: object = {}) =>
  api.call('PUT', '/admin/identity-provider', {
    issuer: provider.issuer,
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    groups_claim: 'groups',
    role_mappings: [{ value: 'finance', roles: ['analyst', 'auditor'] }],
    ...more,
  });

describe('the identity provider', () => {
  it('is added with the roles of a group, and its secret is not shown again', async () => {
    await open();
    await page.getByText(/has no identity provider/).waitFor();
    await field('Issuer').fill(provider.issuer);
    await field('Client ID').fill(CLIENT_ID);
    await page.getByLabel('Client secret').fill(CLIENT_SECRET);
    await field('Groups claim').fill('groups');
    await page.getByRole('button', { name: 'Add a group' }).click();
    await field('Group').fill('finance');
    await page.getByText('analyst', { exact: true }).click();
    await save();
    await notice('Identity provider saved.');
    await page.getByText(/\/auth\/callback\/acme$/).waitFor();
    expect(await page.getByLabel('Client secret').inputValue()).toBe('');
    expect(await stored()).toMatchObject({
      issuer: provider.issuer,
      has_client_secret: true,
      role_mappings: [{ value: 'finance', roles: ['analyst'] }],
    });
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'admin-provider');
  });

  it('says what members of a group lose before it is changed, and keeps its secret', async () => {
    await configure();
    await open();
    await page
      .getByRole('checkbox', { name: /^auditor/ })
      .first()
      .waitFor();
    expect(await page.getByText('No account loses').count()).toBe(0);
    await page.getByText('auditor', { exact: true }).click();
    await page.getByText('Members of finance lose auditor at their next sign-in.').waitFor();
    await save();
    await notice('Identity provider saved.');
    expect(await stored()).toMatchObject({
      has_client_secret: true,
      role_mappings: [{ value: 'finance', roles: ['analyst'] }],
    });
  });

  it('that does not answer is not saved, and what was entered stays', async () => {
    await configure();
    const other = await startOpenIdProvider();
    await other[Symbol.asyncDispose]();
    await open();
    await field('Issuer').fill(other.issuer);
    await page.getByText(/Users are known to the new issuer/).waitFor();
    await page.getByLabel('Client secret').fill('another');
    await save();
    await page
      .getByRole('alert')
      .getByText(/issuer/)
      .first()
      .waitFor();
    await takeScreenshot(page, 'admin-provider-unreachable');
    expect([await field('Issuer').inputValue(), await page.getByLabel('Client secret').inputValue()]).toEqual([
      other.issuer,
      'another',
    ]);
    expect((await stored()).issuer).toBe(provider.issuer);
  });

  it('that another admin has changed meanwhile is not overwritten', async () => {
    await configure();
    await open();
    await field('E-mail claim').fill('mail');
    await configure({ create_users: true });
    await save();
    await page.getByRole('alert').getByText('Someone else changed this').waitFor();
    expect(await field('E-mail claim').inputValue()).toBe('mail');
    await page.getByRole('button', { name: 'Show the current version' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(await page.getByRole('checkbox', { name: /^Create unknown users/ }).isChecked()).toBe(true);
  });

  it('keeps what is not saved while another tab is shown, and says that a test does not use it', async () => {
    await configure();
    await open();
    await field('E-mail claim').fill('mail');
    await page.getByRole('tab', { name: 'Limits' }).click();
    await page.getByLabel('Rows of a result').waitFor();
    await page.getByRole('tab', { name: 'Identity provider' }).click();
    await page.getByText('You have unsaved changes here.').waitFor();
    expect(await field('E-mail claim').inputValue()).toBe('mail');
    await page.getByRole('button', { name: 'Test login' }).click();
    await dialogOf(page).getByText('Your changes are not saved, so the test does not use them.').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain('mail');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await field('E-mail claim').inputValue()).toBe('email');
  });

  it('is tested with a login that shows the claims and their roles, and opens no session', async () => {
    await configure();
    const user = await console.hosts.build.user(console.hosts.acme, { roles: ['steward'] });
    provider.person = {
      sub: 'tested',
      email: user.email,
      email_verified: true,
      groups: ['finance', 'others'],
      nickname: '<img src=x onerror="hacked=1">',
    };
    await open();
    await page.getByRole('button', { name: 'Test login' }).click();
    const [tab] = await Promise.all([
      guest.context.waitForEvent('page'),
      dialogOf(page).getByRole('link', { name: 'Open the test login in a new tab' }).click(),
    ]);
    await tab.getByText(`Signs in as ${user.email}. The first sign-in links the account to this person.`).waitFor();
    await tab.getByText('finance, others', { exact: true }).waitFor();
    await tab.getByText('analyst, auditor', { exact: true }).waitFor();
    await tab.getByText('<img src=x onerror="hacked=1">').waitFor();
    expect(await findAxeViolations(tab)).toEqual([]);
    await takeScreenshot(tab, 'admin-test-login');
    expect(await api.rolesOf(user.email)).toEqual(['steward']);
    const sessions = (await api.call('GET', '/admin/sessions')).body.data as { readonly user: string }[];
    expect(sessions.filter((session) => session.user === user.email)).toEqual([]);
  });

  it('is deleted after the question what that takes away', async () => {
    await configure();
    await open();
    await page.getByRole('button', { name: 'Delete …' }).click();
    await dialogOf(page)
      .getByText(/sign in with their password here only/)
      .waitFor();
    await press(page, 'Delete the identity provider');
    await notice('Identity provider deleted.');
    await page.getByText(/has no identity provider/).waitFor();
    expect((await api.call('GET', '/admin/identity-provider')).status).toBe(404);
  });
});
