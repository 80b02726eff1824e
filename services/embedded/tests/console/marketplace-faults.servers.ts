import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '@sluice/client';
import type { BuiltUser } from '@sluice/testkit';
import type { Browser, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { newestDownload, startDownload, untilDownload } from './downloads-page.ts';
import { type Market, makeMarket } from './marketplace-story.ts';
import { statementEditor, untilState, writeStatement } from './query-page.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

let console: ConsoleHosts;
let market: Market;
let browser: Browser;
beforeAll(async () => {
  [console, browser] = await Promise.all([startConsoleHosts(), startBrowser()]);
  market = await makeMarket(console.hosts);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
});
afterEach(() => console.stream.reset());

const QUERIES = { one: 'SELECT 1 AS a' };
const newUser = (roles = ['analyst']): Promise<BuiltUser> => console.hosts.build.user(console.hosts.acme, { roles });
const access = (page: Page) => page.getByRole('region', { name: 'Your access' });
const openItem = (page: Page, id: string, user: BuiltUser) =>
  openSignedIn(page, `${console.url}marketplace/${id}`, user);
const openRequests = (page: Page, user: BuiltUser) => openSignedIn(page, `${console.url}requests`, user);
const problem = (status: number, error: string, message: string) => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'access-control-allow-origin': '*' },
  body: JSON.stringify({ error, message }),
});

describe('two who decide at once', () => {
  it('get one decision, and a sentence for the second, who keeps the text', async () => {
    const id = await market.item({ id: 'contested', queries: QUERIES });
    const user = await newUser();
    const requestId = await market.request(id, user, 'Both read this');
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openRequests(page, market.owner);
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByRole('textbox', { name: 'Reason for the refusal' }).fill('Too late');
    await market.decide(id, requestId, 'approve', {});
    await page.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click();
    await page.getByRole('dialog').getByText('This request is decided already.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Reason for the refusal' }).inputValue()).toBe('Too late');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByText('Nothing to review').waitFor();
    expect((await market.grants(id)).map(({ name }) => name)).toEqual([user.email]);
    expect(faults).toEqual([]);
  });
});

describe('access that ends', () => {
  it('is no longer shown when the grant expires, without a reload', async () => {
    const id = await market.item({ id: 'short-lived', queries: QUERIES });
    const user = await newUser();
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openSignedIn(page, console.url, user);
    await market.grant(id, [{ name: user.email, expires_ts: Date.now() + 6_000 }]);
    await page.goto(`${console.url}marketplace/${id}`);
    await access(page).getByText('You may download this data until').waitFor();
    await access(page).getByText('No access').waitFor();
    await access(page).getByRole('button', { name: 'Request access' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('is not promised after a failed request, and what was entered stays', async () => {
    const id = await market.item({
      id: 'unsure',
      queries: { one: 'SELECT $n AS a' },
      parameters: [{ name: 'n', type: 'bigint' }],
    });
    const user = await newUser();
    await market.grant(id, [{ name: user.email }]);
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openItem(page, id, user);
    await access(page).getByText('Your access has no end date.').waitFor();
    await page.getByRole('textbox', { name: 'n (bigint)' }).fill('42');
    await guest.context.setOffline(true);
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.getByText('The host cannot be reached').count()).toBe(1);
    expect(await access(page).getByText('You may download').count()).toBe(0);
    expect(await page.getByRole('textbox', { name: 'n (bigint)' }).inputValue()).toBe('42');
    await takeScreenshot(page, 'item-offline');
    expect(await findAxeViolations(page)).toEqual([]);
    await guest.context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await access(page).getByText('Your access has no end date.').waitFor();
    expect(faults).toEqual([]);
  });
});

describe('an item that cannot be shown', () => {
  it.each(['no-such-item', '..%2F..%2Fx', 'a'.repeat(200)])('is one sentence: %s', async (id) => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openItem(page, id, console.hosts.ann);
    await page.getByText('The marketplace has no such item.').waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('is one sentence for an item of another tenant', async () => {
    const other = await console.hosts.build.user(console.hosts.globex, { roles: ['admin'] });
    await market.item({ id: 'of-acme', queries: QUERIES });
    await using guest = await visit(browser);
    const { page } = guest;
    const url = new URL(console.url);
    await openSignedIn(page, `http://globex-api.localhost:${url.port}/console/marketplace/of-acme`, other);
    await page.getByText('The marketplace has no such item.').waitFor();
  });
});

describe('a request that fails', () => {
  it.each([
    [429, 'too_many_requests', 'Too many requests'],
    [503, 'service_unavailable', 'The host is not available at the moment'],
    [403, 'access_denied', 'You are not allowed to do this'],
  ] as const)('with %i keeps the reason, and sends nothing twice by itself', async (status, error, title) => {
    const id = await market.item({ id: `failing-${status}`, queries: QUERIES });
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openItem(page, id, await newUser());
    await access(page).getByRole('button', { name: 'Request access' }).click();
    const reason = page.getByRole('textbox', { name: 'What do you need the data for?' });
    await reason.fill('Kept');
    const failure = problem(status, error, 'Sentence of the host.');
    await page.route('**/access-requests', (route) =>
      route.request().method() === 'POST' ? route.fulfill(failure) : route.continue(),
    );
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.getByRole('dialog').getByText(title).waitFor();
    await page.getByRole('dialog').getByText('Sentence of the host.').waitFor();
    expect(await reason.inputValue()).toBe('Kept');
    await page.unroute('**/access-requests');
    await page.getByRole('button', { name: 'Send request' }).click();
    await access(page).getByText('Access requested', { exact: true }).waitFor();
    expect((await market.audited(id)).filter(({ action }) => action === 'REQUEST_ACCESS')).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it('because the session has ended asks to sign in again, and keeps the reason', async () => {
    const id = await market.item({ id: 'sessionless', queries: QUERIES });
    const user = await newUser();
    await using guest = await visit(browser);
    const { page, context } = guest;
    await openItem(page, id, user);
    await access(page).getByRole('button', { name: 'Request access' }).click();
    const reason = page.getByRole('textbox', { name: 'What do you need the data for?' });
    await reason.fill('Kept');
    await context.request.get(`${console.hosts.api.url}/auth/logout/acme`, { maxRedirects: 0 });
    await page.getByRole('button', { name: 'Send request' }).click();
    const ended = page.getByRole('alertdialog', { name: 'Your session has ended' });
    await ended.waitFor();
    expect(await market.audited(id)).toHaveLength(1);
    await openSignedIn(await guest.openTab(), console.url, user);
    await ended.waitFor({ state: 'detached' });
    expect(await reason.inputValue()).toBe('Kept');
    await page.getByRole('button', { name: 'Send request' }).click();
    await access(page).getByText('Access requested', { exact: true }).waitFor();
    expect((await market.audited(id)).map(({ action }) => action)).toContain('REQUEST_ACCESS');
  });
});

describe('a role that is removed', () => {
  it('while an item and a statement are open is one sentence on each, and nothing is lost', async () => {
    const { hosts } = console;
    const { email, password } = market.admin;
    const urls = { tenant: 'acme', apiUrl: hosts.api.url, streamUrl: hosts.url };
    const admin = createClient({ ...urls, auth: { email, password } });
    const id = await market.item({
      id: 'of-a-leaver',
      queries: { one: 'SELECT $n AS a' },
      parameters: [{ name: 'n', type: 'bigint' }],
    });
    const user = await newUser();
    await market.grant(id, [{ name: user.email }]);
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openItem(page, id, user);
    const value = page.getByRole('textbox', { name: 'n (bigint)' });
    await value.fill('42');
    const tab = await guest.openTab();
    await tab.goto(console.url);
    await writeStatement(tab, 'SELECT 1 AS kept');
    await admin.api.updateUser({ params: { id: user.id }, body: { roles: [] } });

    await page.getByRole('button', { name: 'Preview 20 rows' }).click();
    await page.getByRole('alert').getByText('datamap:read').waitFor();
    await startDownload(page, 'CSV');
    await untilDownload(page, 'Failed');
    expect(await newestDownload(page).textContent()).toMatch(/access_denied.*marketplace:download.*Request ID/s);
    expect(await value.inputValue()).toBe('42');
    await takeScreenshot(page, 'item-role-removed');
    expect(await findAxeViolations(page)).toEqual([]);
    await statementEditor(tab).press('Control+Enter');
    await untilState(tab, 'Failed');
    await tab.getByRole('alert').getByText('query:run').waitFor();
    expect(await statementEditor(tab).textContent()).toBe('SELECT 1 AS kept');

    await admin.api.updateUser({ params: { id: user.id }, body: { roles: ['analyst'] } });
    await statementEditor(tab).press('Control+Enter');
    await untilState(tab, 'Complete');
    await page.getByRole('button', { name: 'Preview 20 rows' }).click();
    await untilState(page, 'Complete');
    expect(faults).toEqual([]);
  });
});
