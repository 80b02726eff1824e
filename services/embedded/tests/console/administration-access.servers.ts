import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type BuiltUser, send, until } from '@sluice/testkit';
import type { Browser, Page } from 'playwright-core';
import { type AdminApi, createAdminApi, dialogOf, press, roleBox, rowOf, toggle } from './administration-page.ts';
import { findAxeViolations } from './axe.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { type Market, makeMarket } from './marketplace-story.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

let console: ConsoleHosts;
let browser: Browser;
let admin: BuiltUser;
let api: AdminApi;
let market: Market;
beforeAll(async () => {
  [console, browser] = await Promise.all([startConsoleHosts(), startBrowser()]);
  admin = await console.hosts.build.user(console.hosts.acme, { roles: ['admin'] });
  api = await createAdminApi(console, admin);
  market = await makeMarket(console.hosts);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
});

let guest: Visit;
let page: Page;
beforeEach(async () => {
  guest = await visit(browser);
  page = guest.page;
});
afterEach(async () => {
  await guest[Symbol.asyncDispose]();
  expect(guest.faults).toEqual([]);
});
const open = (view: string): Promise<void> => openSignedIn(page, `${console.url}admin?view=${view}`, admin);
const notice = (text: string | RegExp) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text).first().waitFor();

/** Returns the status of a request for a token with a secret, and the token. */
async function tokenOf(clientId: string, secret: string) {
  const { status, body } = await send(`${console.hosts.api.url}/auth/acme/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
    }).toString(),
  });
  return { status, token: body.access_token as string };
}

/** Reads a secret that is shown once, and that the copy button copies the same. */
async function takeSecret(): Promise<string> {
  const secret = (await dialogOf(page).locator('code').textContent()) ?? '';
  await dialogOf(page).getByRole('button', { name: 'Copy the secret' }).click();
  await until(async () => (await page.evaluate(() => navigator.clipboard.readText())) === secret || undefined, {
    what: 'the secret in the clipboard',
    withinMs: 20_000,
  });
  return secret;
}

describe('service accounts', () => {
  it('are created with a secret that works, is shown once, and is not lost by a click beside it', async () => {
    await open('service-accounts');
    await page.getByRole('button', { name: 'New service account' }).click();
    await dialogOf(page).getByLabel('Client ID').fill('nightly');
    await toggle(page, 'service');
    await press(page, 'Create');
    await dialogOf(page)
      .getByText(/It is shown only now/)
      .waitFor();
    const secret = await takeSecret();
    await page.mouse.click(5, 5);
    await page.keyboard.press('Escape');
    expect(await dialogOf(page).locator('code').textContent()).toBe(secret);
    await takeScreenshot(page, 'admin-secret');
    await press(page, 'Close');
    await rowOf(page, 'nightly').getByRole('button', { name: 'Copy Client ID' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('nightly');
    expect(await dialogOf(page).count()).toBe(0);
    await takeScreenshot(page, 'admin-service-accounts');
    expect((await page.locator('body').textContent())?.includes(secret)).toBe(false);
    expect((await tokenOf('nightly', secret)).status).toBe(200);
  });

  it('get another secret with a label, and revoking the first ends its tokens', async () => {
    const { body: made } = await api.call('POST', '/admin/service-accounts', {
      client_id: 'rotated',
      roles: ['service'],
    });
    const before = await tokenOf('rotated', made.client_secret);
    await open('service-accounts');
    await rowOf(page, 'rotated').click();
    await press(page, 'Add a secret …');
    await dialogOf(page).getByLabel('Label').fill('second host');
    await takeScreenshot(page, 'admin-secret-new');
    await press(page, 'Create the secret');
    await dialogOf(page)
      .getByText(/It is shown only now/)
      .waitFor();
    const second = await takeSecret();
    await press(page, 'Close');
    await rowOf(page, 'rotated').click();
    await dialogOf(page).getByRole('button', { name: 'Revoke …' }).nth(1).waitFor();
    await dialogOf(page).getByText('second host').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Revoke …' }).first().click();
    await dialogOf(page)
      .getByText(/can no longer sign in/)
      .waitFor();
    await takeScreenshot(page, 'admin-service-account');
    await press(page, 'Revoke the secret');
    await notice('Revoked a secret of rotated.');
    expect((await tokenOf('rotated', made.client_secret)).status).toBe(401);
    expect((await tokenOf('rotated', second)).status).toBe(200);
    const me = () => send(`${console.hosts.api.url}/me`, { headers: { authorization: `Bearer ${before.token}` } });
    await until(async () => ((await me()).status === 401 ? true : undefined), {
      what: 'the rejection of the token',
      withinMs: 20_000,
    });
  });

  it('are limited to networks, permissions and keys, and listed when they are unused', async () => {
    const { body: made } = await api.call('POST', '/admin/service-accounts', {
      client_id: 'limited',
      roles: ['service'],
    });
    await open('service-accounts');
    await rowOf(page, 'limited').click();
    const networks = dialogOf(page).getByLabel('Allowed networks').last();
    await networks.fill('203.0.113.0/24');
    await networks.press('Enter');
    await dialogOf(page).getByText('Requests of limited from other networks are rejected.').waitFor();
    await toggle(page, 'Limit the permissions');
    await toggle(page, 'query:run');
    await dialogOf(page).getByText('limited loses query:run.').waitFor();
    await dialogOf(page)
      .getByRole('button', { name: /Public keys/ })
      .click();
    await page.getByRole('option', { name: 'At an address' }).click();
    await dialogOf(page).getByLabel('Address of the key set').fill('https://keys.example/jwks');
    await takeScreenshot(page, 'admin-service-account-access');
    await press(page, 'Save');
    await notice('Saved limited.');
    const { body } = await api.call('GET', `/admin/service-accounts/${made.id}`);
    expect(body).toMatchObject({
      allowed_networks: ['203.0.113.0/24'],
      jwks_uri: 'https://keys.example/jwks',
      may_introspect: false,
    });
    expect(body.scopes).not.toContain('query:run');
    expect((await tokenOf('limited', made.client_secret)).status).toBe(401);
    await page.getByRole('button', { name: /Last used/ }).click();
    await page.getByRole('option', { name: 'Without a token for 90 days' }).click();
    await page.getByText('No service account matches').waitFor();
    await takeScreenshot(page, 'admin-service-accounts-unused');
  });

  it('show what they lose before they are changed or deleted', async () => {
    await api.call('POST', '/admin/service-accounts', { client_id: 'changed', roles: ['service', 'auditor'] });
    await open('service-accounts');
    await rowOf(page, 'changed').click();
    await roleBox(page, 'auditor').waitFor({ state: 'attached' });
    await toggle(page, 'auditor');
    await dialogOf(page).getByText('changed loses audit:read.').waitFor();
    await press(page, 'Save');
    await notice('Saved changed.');
    await rowOf(page, 'changed').click();
    await press(page, 'Delete …');
    await dialogOf(page)
      .getByText(/is deleted with its secrets/)
      .waitFor();
    await press(page, 'Delete the service account');
    await notice('Deleted changed.');
    expect((await api.call('GET', '/admin/service-accounts?q=changed')).body.total).toBe(0);
  });
});

describe('grants', () => {
  it('are created until a date, end sooner, and are removed', async () => {
    const user = await console.hosts.build.user(console.hosts.acme, { roles: ['analyst'] });
    await market.item({ id: 'sales', title: 'Sales', queries: { all: 'SELECT 1 AS n' } });
    await open('grants');
    await page.getByRole('button', { name: 'New grant' }).click();
    await dialogOf(page).getByLabel('Item ID').fill('sales');
    await dialogOf(page).getByLabel('E-mail of the user').fill(user.email);
    await dialogOf(page)
      .getByText(/Access ends automatically on/)
      .waitFor();
    await press(page, 'Grant');
    await notice(`${user.email} may download sales.`);
    const [granted] = await market.grants('sales');
    expect(granted).toMatchObject({ name: user.email });
    await page.getByLabel('E-mail of the user').fill(user.email);
    await rowOf(page, 'Sales').click();
    await dialogOf(page).getByLabel('Last day of access').fill(new Date().toISOString().slice(0, 10));
    await dialogOf(page)
      .getByText(/ends sooner/)
      .waitFor();
    await takeScreenshot(page, 'admin-grant');
    await press(page, 'Save');
    await notice(`Saved the grant of Sales to ${user.email}.`);
    expect((await market.grants('sales'))[0]?.expires_ts).toBeLessThan(granted?.expires_ts ?? 0);
    await rowOf(page, 'Sales').click();
    await press(page, 'Remove …');
    await dialogOf(page).getByText(`${user.email} can no longer download Sales`).waitFor();
    await press(page, 'Remove the grant');
    await notice(`Removed the grant of Sales to ${user.email}.`);
    expect(await market.grants('sales')).toEqual([]);
  });

  it('end when they ended, to the millisecond, after a save without a change', async () => {
    const user = await console.hosts.build.user(console.hosts.acme, { roles: ['analyst'] });
    await market.item({ id: 'kept', title: 'Kept', queries: { all: 'SELECT 1 AS n' } });
    const end = Date.now() + 40 * 86_400_000 + 123;
    await market.grant('kept', [{ name: user.email, expires_ts: end }]);
    await open('grants');
    await page.getByLabel('E-mail of the user').fill(user.email);
    await rowOf(page, 'Kept').click();
    await press(page, 'Save');
    await notice(`Saved the grant of Kept to ${user.email}.`);
    expect((await market.grants('kept'))[0]?.expires_ts).toBe(end);
  });

  it('of a role name its accounts before they are removed, also with the role', async () => {
    await api.call('POST', '/admin/roles', { name: 'pilots', permissions: ['marketplace:download'] });
    const user = await console.hosts.build.user(console.hosts.acme, { roles: ['pilots'] });
    await market.item({ id: 'routes', title: 'Routes', queries: { all: 'SELECT 1 AS n' } });
    const grant = { item_id: 'routes', kind: 'role', name: 'pilots' };
    expect((await api.call('POST', '/admin/grants', grant)).status).toBe(201);
    await open('grants&by=role&q=pilots');
    await rowOf(page, 'Routes').click();
    await press(page, 'Remove …');
    await dialogOf(page).getByText(`${user.email} has this role.`).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await page.goto(`${console.url}admin?view=roles`);
    await rowOf(page, 'pilots').click();
    await press(page, 'Delete …');
    await dialogOf(page).getByText('1 grant of this role is removed.').waitFor();
    await dialogOf(page)
      .getByText(/can no longer download Routes/)
      .waitFor();
    await dialogOf(page).getByText(`${user.email} loses marketplace:download.`).waitFor();
  });

  it('of an item or a user that does not exist keep what was entered, with the reason', async () => {
    await open('grants');
    await page.getByRole('button', { name: 'New grant' }).click();
    await dialogOf(page).getByLabel('Item ID').fill('nowhere');
    await dialogOf(page).getByLabel('E-mail of the user').fill('nobody@acme.example');
    await press(page, 'Grant');
    await dialogOf(page)
      .getByRole('alert')
      .getByText(/there is no item nowhere/)
      .waitFor();
    expect(await dialogOf(page).getByLabel('E-mail of the user').inputValue()).toBe('nobody@acme.example');
  });
});

describe('limits', () => {
  it('are shown with those of the operator, and say what they lower before they are saved', async () => {
    await open('limits');
    const time = page.getByLabel('Longest run time of a query, in seconds');
    await time.fill('60');
    await page.getByText(/^Longest run time of a query, in seconds: 60 s instead of/).waitFor();
    await takeScreenshot(page, 'admin-limits');
    await page.getByRole('button', { name: 'Save' }).click();
    await notice('Limits saved.');
    expect((await api.call('GET', '/admin/limits')).body.own).toMatchObject({ query_time_ms: 60_000, rows_max: null });
  });

  it('keep what is not saved while another tab is shown, until it is discarded', async () => {
    await open('limits');
    const rows = page.getByLabel('Rows of a result');
    const before = await rows.inputValue();
    await rows.fill('4321');
    await page.getByRole('tab', { name: 'Roles' }).click();
    await page.getByRole('grid').waitFor();
    await page.getByRole('tab', { name: 'Limits' }).click();
    await page.getByText('You have unsaved changes here.').waitFor();
    expect(await rows.inputValue()).toBe('4321');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('You have unsaved changes here.').waitFor({ state: 'detached' });
    expect(await rows.inputValue()).toBe(before);
  });

  it('above those of the operator say so at the field, and another admin is not overwritten', async () => {
    await open('limits');
    const perUser = page.getByLabel('Queries of one user at a time');
    await perUser.fill('1000000');
    await page.getByText(/^The operator allows at most \d+\.$/).waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    expect(await perUser.inputValue()).toBe('1000000');
    await perUser.fill('1');
    await api.call('PUT', '/admin/limits', { rows_max: 77 });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('Someone else changed this').waitFor();
    await page.getByRole('button', { name: 'Show the current version' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Rows of a result').inputValue()).toBe('77');
    await perUser.fill('1.5');
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await api.call('PUT', '/admin/limits', {});
  });
});

describe('the audit settings', () => {
  const stored = async () => (await api.call('GET', '/admin/audit-settings')).body.metadata_reads;
  const choice = () => page.getByRole('checkbox', { name: 'Record reads of metadata' });

  it('say what is no longer recorded before they are saved, and lead to the record of the change', async () => {
    await open('audit');
    await choice().waitFor();
    expect(await choice().isChecked()).toBe(true);
    await page.getByText('Record reads of metadata', { exact: true }).click();
    await page.getByText('From then on, the audit log does not say who looked at which metadata.').waitFor();
    await takeScreenshot(page, 'admin-audit');
    await page.getByRole('button', { name: 'Save' }).click();
    await notice('Audit settings saved.');
    expect(await stored()).toBe('not_recorded');
    await page.reload();
    await choice().waitFor();
    expect(await choice().isChecked()).toBe(false);
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByText('Record reads of metadata', { exact: true }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await notice('Audit settings saved.');
    expect(await stored()).toBe('recorded');
  });

  it('of another admin are not overwritten', async () => {
    await open('audit');
    await choice().waitFor();
    await api.call('PUT', '/admin/audit-settings', { metadata_reads: 'not_recorded' });
    await page.getByText('Record reads of metadata', { exact: true }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('Someone else changed this').waitFor();
    await page.getByRole('button', { name: 'Show the current version' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(await choice().isChecked()).toBe(false);
    await api.call('PUT', '/admin/audit-settings', { metadata_reads: 'recorded' });
  });
});
