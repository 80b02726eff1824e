import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BuiltUser } from '@sluice/testkit';
import { basicOf, finalReceipt } from '@sluice/testkit/requests';
import type { Browser, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { sha256OfFile, untilDownload } from './downloads-page.ts';
import { type Market, makeMarket } from './marketplace-story.ts';
import { clipboardText, renderedRows, untilState } from './query-page.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

let console: ConsoleHosts;
let market: Market;
let browser: Browser;
beforeAll(async () => {
  [console, browser] = await Promise.all([startConsoleHosts(), startBrowser()]);
  market = await makeMarket(console.hosts);
  await market.item({
    id: 'orders',
    title: 'Orders by region',
    description: 'Every order of the shop, one row each.\nRefreshed at night; amounts are in euros.',
    tags: ['shop', 'orders'],
    queries: { orders: `SELECT range AS id, 'EU' AS region, range * 9.99 AS amount FROM range(500)` },
    columns: { id: 'bigint', region: 'varchar', amount: 'decimal(21,2)' },
  });
  await market.item({
    id: 'regions',
    title: 'Region pack',
    description: 'Sales of a region, and its shops.',
    tags: ['shop', 'pack'],
    queries: {
      sales: 'SELECT $region AS region, $top AS top FROM range(3)',
      shops: 'SELECT $region AS region, $top AS top',
    },
    columns: { region: 'varchar', top: 'bigint' },
    parameters: [
      { name: 'region', type: 'varchar', allowed_values: ['EU', 'US'], description: 'Region of **the** shops' },
      { name: 'top', type: 'bigint', default: 10 },
    ],
  });
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
});

const newUser = (roles = ['analyst']): Promise<BuiltUser> => console.hosts.build.user(console.hosts.acme, { roles });
const access = (page: Page) => page.getByRole('region', { name: 'Your access' });
const openItem = (page: Page, id: string, user: BuiltUser) =>
  openSignedIn(page, `${console.url}marketplace/${id}`, user);

describe('a request for access', () => {
  it('is sent with a reason, approved by the owner with an end, and opens the item', async () => {
    const user = await newUser();
    await using requester = await visit(browser);
    await using deciding = await visit(browser);
    const { page } = requester;
    await openSignedIn(page, `${console.url}marketplace`, user);
    await page.getByRole('searchbox', { name: 'Search title' }).fill('orders region');
    await page.getByText('1 item', { exact: true }).waitFor();
    await takeScreenshot(page, 'marketplace-search');
    await page.getByRole('link', { name: 'Orders by region' }).click();
    await page.getByRole('heading', { name: 'Orders by region' }).waitFor();
    await access(page).getByText('No access').waitFor();
    await takeScreenshot(page, 'item-no-access');
    expect(await findAxeViolations(page)).toEqual([]);
    await access(page).getByRole('button', { name: 'Request access' }).click();
    await page.getByRole('textbox', { name: 'What do you need the data for?' }).fill('Report of the year');
    await takeScreenshot(page, 'item-request');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send request' }).dblclick();
    await access(page).getByText('Access requested', { exact: true }).waitFor();
    await access(page).getByText('Report of the year').waitFor();

    const inbox = deciding.page;
    await openSignedIn(inbox, console.url.replace(/$/, 'requests'), market.owner);
    await inbox.getByRole('link', { name: /^Requests.*1 waits for you/ }).waitFor();
    await takeScreenshot(inbox, 'requests-open');
    expect(await findAxeViolations(inbox)).toEqual([]);
    await inbox.getByRole('button', { name: 'Approve' }).click();
    await inbox.getByRole('dialog', { name: 'Approve access' }).getByText('Report of the year').waitFor();
    await takeScreenshot(inbox, 'requests-approve');
    expect(await findAxeViolations(inbox)).toEqual([]);
    await inbox.getByRole('dialog').getByRole('button', { name: 'Approve' }).dblclick();
    await inbox.getByText('Nothing to review').waitFor();
    const [grant] = await market.grants('orders');
    expect(grant?.name).toBe(user.email);
    const days = ((grant?.expires_ts ?? 0) - Date.now()) / 86_400_000;
    expect([days > 89, days < 92]).toEqual([true, true]);
    expect(await market.audited('orders')).toEqual([
      { action: 'CREATE_MARKETPLACE_ITEM', actor: market.owner.email },
      { action: 'REQUEST_ACCESS', actor: user.email },
      { action: 'APPROVE_ACCESS', actor: market.owner.email },
    ]);
    expect(await inbox.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    await inbox.getByRole('tab', { name: 'All for my items' }).click();
    await inbox
      .getByRole('row', { name: /Orders by region/ })
      .getByText('Access granted')
      .waitFor();
    await takeScreenshot(inbox, 'requests-inbox');

    await page.reload();
    await access(page)
      .getByText(/^You may download this data until /)
      .waitFor();
    await takeScreenshot(page, 'item-granted');
    expect([requester.faults, deciding.faults]).toEqual([[], []]);
  });

  it('is refused with a reason by keyboard, which the requester reads', async () => {
    const user = await newUser();
    await market.request('regions', user, 'Curiosity\nof our team');
    await using deciding = await visit(browser);
    const { page } = deciding;
    await openSignedIn(page, console.url.replace(/$/, 'requests'), market.owner);
    await page.getByRole('button', { name: 'Approve' }).focus();
    await page.keyboard.press('r');
    await page.getByRole('dialog', { name: 'Refuse access' }).waitFor();
    await page.keyboard.type('Ask for one region only');
    await takeScreenshot(page, 'requests-refuse');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing to review').waitFor();
    await using asking = await visit(browser);
    await openItem(asking.page, 'regions', user);
    await access(asking.page).getByText('Ask for one region only').waitFor();
    await access(asking.page).getByRole('button', { name: 'Request access again' }).waitFor();
    await takeScreenshot(asking.page, 'item-refused');
    expect(await findAxeViolations(asking.page)).toEqual([]);
    await asking.page.goto(`${console.url}requests?list=own`);
    const own = asking.page.getByRole('row', { name: /Region pack/ });
    await own.getByText('Access refused').waitFor();
    expect(await own.getByText('Curiosity').allInnerTexts()).toEqual(['Curiosity\nof our team']);
    await takeScreenshot(asking.page, 'requests-own');
    expect(await findAxeViolations(asking.page)).toEqual([]);
    expect([deciding.faults, asking.faults]).toEqual([[], []]);
  });
});

describe('the lists of requests', () => {
  const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name, selected: true });

  it('open with the one that has something, and follow what others do without a reload', async () => {
    const others = await makeMarket(console.hosts);
    await others.item({ id: 'followed', title: 'Followed', queries: { one: 'SELECT 1 AS a' } });
    const requestsUrl = `${console.url}requests`;
    const user = await newUser();
    await using deciding = await visit(browser);
    await openSignedIn(deciding.page, requestsUrl, others.owner);
    await tab(deciding.page, /^To decide$/).waitFor();
    await deciding.page.getByText('Nothing to review').waitFor();

    const requestId = await others.request('followed', user, 'For the board');
    await deciding.page.getByText('For the board').waitFor();
    await tab(deciding.page, /^To decide 1$/).waitFor();
    await deciding.page.getByRole('link', { name: /^Requests.*1 waits for you/ }).waitFor();

    await using asking = await visit(browser);
    await openSignedIn(asking.page, requestsUrl, user);
    await tab(asking.page, /^My requests 1$/).waitFor();
    await asking.page.getByRole('row', { name: /Followed/ }).waitFor();
    await others.decide('followed', requestId, 'refuse', { note: 'Ask again next year' });
    await asking.page
      .getByRole('row', { name: /Followed/ })
      .getByText('Ask again next year')
      .waitFor();
    await deciding.page.getByText('Nothing to review').waitFor();
    await tab(deciding.page, /^To decide$/).waitFor();
    expect(await deciding.page.getByRole('link', { name: /waits for you/ }).count()).toBe(0);
    // Opened again, it has the list with the decided request.
    await deciding.page.goto(requestsUrl);
    await tab(deciding.page, /^All for my items 1$/).waitFor();
    expect([deciding.faults, asking.faults]).toEqual([[], []]);
  });
});

describe('an item', () => {
  it('is previewed with values for its parameters, and copied as a program', async () => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openItem(page, 'regions', await newUser());
    await page.getByRole('button', { name: 'Preview 20 rows' }).click();
    await page.getByText('Enter a value.').waitFor();
    await page.getByText('Region of the shops', { exact: true }).waitFor();
    await page.getByRole('button', { name: /region .varchar/ }).click();
    await page.getByRole('option', { name: 'EU' }).click();
    await page.getByRole('button', { name: 'Preview 20 rows' }).click();
    await untilState(page, 'Complete');
    expect(await renderedRows(page)).toEqual([
      ['EU', '10'],
      ['EU', '10'],
      ['EU', '10'],
    ]);
    await takeScreenshot(page, 'item-preview');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole('region', { name: 'Use it in a program' }).getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied, without your password.').waitFor();
    expect(await clipboardText(page)).toContain('/marketplace/regions/download/csv?p.region=EU');
    expect(faults).toEqual([]);
  });
});

describe('a download', () => {
  it('is a click on a format, and has the receipt of the host', async () => {
    const user = await newUser();
    await market.grant('orders', [{ name: user.email }]);
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openItem(page, 'orders', user);
    await access(page).getByRole('button', { name: 'Download' }).click();
    await takeScreenshot(page, 'item-download');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ]);
    await untilDownload(page, 'Sent');
    expect(download.suggestedFilename()).toBe('orders.csv');
    const [sent] = await console.hosts.rows<{ query_id: string; user_name: string }>(
      `select query_id, user_name from audit_log where action = 'DOWNLOAD_MARKETPLACE' and target = 'orders' and record_id is null`,
    );
    expect(sent?.user_name).toBe(user.email);
    const receipt = await finalReceipt(console.hosts.url, sent?.query_id ?? '', {
      credential: basicOf(user),
      withinMs: 10_000,
    });
    expect(receipt).toMatchObject({ state: 'FINISHED', rows: 500, sha256: await sha256OfFile(await download.path()) });
    await takeScreenshot(page, 'item-downloaded');
    expect(await findAxeViolations(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});

describe('the pages of the marketplace', () => {
  it.each([
    { theme: 'light', isPhone: true, language: 'de' },
    { theme: 'dark', isPhone: false, language: 'en' },
    { theme: 'dark', isPhone: true, language: 'en' },
  ] as const)('are accessible, and nothing is wider than the page: %j', async (options) => {
    await market.request('orders', await newUser(), 'Numbers for the board, once a quarter');
    await using guest = await visit(browser, options);
    const { page, faults } = guest;
    await openSignedIn(page, `${console.url}marketplace`, market.owner);
    for (const path of ['marketplace', 'marketplace/regions', 'requests', 'requests?list=inbox']) {
      await page.goto(`${console.url}${path}`);
      await page.locator('article, [role=grid]').first().waitFor();
      const name = path.replaceAll(/\W/g, '-');
      await takeScreenshot(
        page,
        `${name}-${options.theme}-${options.isPhone ? 'phone' : 'desktop'}-${options.language}`,
      );
      expect([path, await findAxeViolations(page)]).toEqual([path, []]);
      const width = await page.evaluate(() => document.querySelector('main')?.scrollWidth ?? 0);
      expect([path, width <= (page.viewportSize()?.width ?? 0)]).toEqual([path, true]);
    }
    expect(faults).toEqual([]);
  });
});
