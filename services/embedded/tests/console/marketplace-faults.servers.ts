import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { BuiltUser } from '@sluice/testkit';
import type { Browser, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { type Market, makeMarket } from './marketplace-story.ts';
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
    await page.getByText('Nothing waits for you').waitFor();
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
    await access(page).getByText('Requested').waitFor();
    expect((await market.audited(id)).filter(({ action }) => action === 'REQUEST_ACCESS')).toHaveLength(1);
    expect(faults).toEqual([]);
  });
});
