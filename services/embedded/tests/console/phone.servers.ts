import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '@sluice/client';
import { type BuiltUser, until } from '@sluice/testkit';
import type { Browser, Page } from 'playwright-core';
import { createResultFolder, type ResultFolder } from '../create-result-folder.ts';
import { findAxeViolations } from './axe.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type FindDataHosts, startFindDataHosts } from './find-data-fixture.ts';
import { makeMarket } from './marketplace-story.ts';
import { countRowsInView, findPhoneFaults } from './phone-layout.ts';
import { resultGrid, runStatement, untilState } from './query-page.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

const PHONE = { width: 390, height: 844 };
const PHONE_ON_ITS_SIDE = { width: 844, height: 390 };

let folder: ResultFolder;
let hosts: FindDataHosts;
/** Id of a query of the user whose result is kept. */
let keptId: string;
let browser: Browser;
let user: BuiltUser;
let guest: Visit;
let page: Page;
beforeAll(async () => {
  folder = await createResultFolder();
  [hosts, browser] = await Promise.all([startFindDataHosts(folder.settings), startBrowser()]);
  const { build, acme, api, url } = hosts.console.hosts;
  user = await build.user(acme, {
    email: 'maximiliane.mustermann@acme.example',
    roles: ['analyst', 'steward', 'admin', 'auditor'],
  });
  const market = await makeMarket(hosts.console.hosts);
  await market.item({
    id: 'orders',
    title: 'Orders by region',
    description: 'Every order of the shop, one row each.',
    tags: ['shop', 'orders'],
    queries: { orders: 'SELECT range AS id FROM range(500)' },
    columns: { id: 'bigint', ordered: 'timestamp with time zone', amount: 'decimal(21,2)' },
  });
  await market.grant('orders', [{ name: user.email }]);
  await market.request('orders', await build.user(acme), 'Report of the year');
  const auth = { email: user.email, password: user.password };
  const client = createClient({ tenant: 'acme', apiUrl: api.url, streamUrl: url, auth });
  const query = client.query('SELECT range AS id, now() AS ordered FROM range(500)', { keep: '1h' });
  for await (const _ of query);
  keptId = await query.id;
  guest = await visit(browser, { isPhone: true });
  page = guest.page;
  await openSignedIn(page, hosts.console.url, user);
}, 180_000);
afterAll(async () => {
  await guest?.[Symbol.asyncDispose]();
  await browser?.close();
  await hosts?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

/** Opens a page of the console, as a link within it does, so that what is loaded stays loaded. */
async function open(path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', `/console/${to}`);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

/** Pages, each with a text that is there when it has its content. */
const PAGES: Readonly<Record<string, string | RegExp>> = {
  '': 'Examples with your data',
  search: 'Cheap items',
  tables: 'shop',
  'tables/shop/main': 'cheap',
  'tables/shop/main/items': 'In euros, without tax.',
  marketplace: 'Orders by region',
  'marketplace/orders': 'timestamp with time zone',
  'marketplace/orders/edit': 'maximiliane.mustermann@acme.example',
  'marketplace/NEW': 'Add a published datamap',
  requests: 'Report of the year',
  'requests?list=inbox': 'Report of the year',
  metadata: 'Import',
  domains: 'Warehouse',
  'metadata?tab=coverage': 'shop.main',
  audit: /maximiliane\.mustermann@acme\.example/,
  'audit/summary': /maximiliane\.mustermann@acme\.example/,
  'admin?view=users': 'maximiliane.mustermann@acme.example',
  'admin?view=roles': 'auditor',
  'admin?view=service-accounts': 'New service account',
  'admin?view=programs': 'New program',
  'admin?view=grants': 'maximiliane.mustermann@acme.example',
  'admin?view=sessions': 'maximiliane.mustermann@acme.example',
  'admin?view=queries': 'Reload',
  'admin?view=limits': 'Save',
  'admin?view=provider': 'Save',
  'admin?view=apply': 'Show the changes',
  'admin?view=audit': 'Record reads of metadata',
  account: 'Your sessions',
  'no-such-page': 'Page not found',
};

/** The same, with those of an object that has an id. */
const allPages = () => ({
  ...PAGES,
  [`datamaps/${hosts.datamapId}`]: 'decimal(',
  [`domains/${hosts.domainId}`]: 'items',
  [`results/${keptId}`]: /kept until/i,
});

describe('on a phone', () => {
  it.each([
    ['upright', PHONE],
    ['on its side', PHONE_ON_ITS_SIDE],
  ] as const)(
    '%s, no page scrolls sideways, no word is broken, and a finger can press everything',
    async (side, size) => {
      await page.setViewportSize(size);
      const faults: Record<string, unknown> = {};
      for (const [path, text] of Object.entries(allPages())) {
        await open(path);
        await page.getByRole('main').getByText(text).first().waitFor();
        const { rows, ...others } = await findPhoneFaults(page);
        // On its side, a phone has room for tables.
        const found = size === PHONE ? { rows, ...others } : others;
        if (Object.values(found).every(({ length }) => length === 0)) continue;
        faults[path] = found;
        await takeScreenshot(page, `phone-fault-${Object.keys(faults).length}-${side.replaceAll(' ', '-')}`);
      }
      expect(faults).toEqual({});
      expect(guest.faults).toEqual([]);
    },
  );

  it('cards keep the roles of a table, and open by touch', async () => {
    await page.setViewportSize(PHONE);
    await open('admin?view=users');
    await page.getByRole('columnheader', { name: 'E-mail' }).waitFor();
    const row = page.getByRole('row').filter({ hasText: user.email });
    expect(await row.getByRole('rowheader').textContent()).toBe(user.email);
    expect(await row.getByRole('gridcell').count()).toBeGreaterThan(1);
    await takeScreenshot(page, 'phone-cards');
    expect(await findAxeViolations(page)).toEqual([]);
    await row.tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).tap();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('cards are sorted by a list of orders, which a table with its head does not have', async () => {
    await page.setViewportSize(PHONE);
    await open('admin?view=users');
    const emails = page.getByRole('rowheader');
    await emails.first().waitFor();
    const ascending = await emails.allTextContents();
    expect(ascending.length).toBeGreaterThan(1);
    const orders = page.getByRole('combobox', { name: 'Sort by' });
    expect(await orders.locator('option:checked').textContent()).toBe('E-mail, ascending');
    await orders.selectOption('E-mail, descending');
    await page.waitForURL((url) => url.searchParams.get('order') === 'desc');
    await page.getByRole('columnheader', { name: 'E-mail' }).and(page.locator('[aria-sort=descending]')).waitFor();
    await until(async () => (await emails.first().textContent()) === ascending.at(-1) || undefined, {
      what: 'the last e-mail to be first',
    });
    await takeScreenshot(page, 'phone-sorted-cards');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.setViewportSize(PHONE_ON_ITS_SIDE);
    await orders.waitFor({ state: 'hidden' });
    await open('admin?view=users');
  });

  it('what does not fit in the navigation is behind "More", by keyboard too', async () => {
    await page.setViewportSize(PHONE);
    await open('search');
    const navigation = page.getByRole('navigation', { name: 'Main' });
    const more = navigation.getByRole('button', { name: /^More/ });
    await more.waitFor();
    expect(await navigation.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await more.focus();
    await page.keyboard.press('Enter');
    expect(await more.getAttribute('aria-expanded')).toBe('true');
    await takeScreenshot(page, 'phone-more');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await more.getAttribute('aria-expanded')).toBe('false');
    expect(await more.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    const audit = navigation.getByRole('link', { name: 'Audit log' });
    while (!(await audit.evaluate((link) => link === document.activeElement))) {
      await page.keyboard.press('Tab');
      expect(await more.getAttribute('aria-expanded')).toBe('true');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    expect(await more.getAttribute('aria-expanded')).toBe('false');
    expect(await more.getAttribute('aria-current')).toBe('true');
    await more.tap();
    expect(await audit.getAttribute('aria-current')).toBe('page');
    await page.getByRole('heading', { level: 1 }).tap();
    expect(await more.getAttribute('aria-expanded')).toBe('false');
    await page.setViewportSize({ width: 1920, height: 1080 });
    await more.waitFor({ state: 'hidden' });
    await audit.waitFor();
  });

  it('filters are behind a button that has their number', async () => {
    await page.setViewportSize(PHONE);
    await open('marketplace');
    const facet = page.getByRole('navigation', { name: 'Filters' }).getByRole('link', { name: /^shop/ });
    const filters = page.getByRole('button', { name: 'Filters', exact: true });
    await filters.waitFor();
    expect(await facet.isVisible()).toBe(false);
    await filters.tap();
    await facet.tap();
    await page.getByRole('button', { name: 'Filters (1)', exact: true }).waitFor();
    await open('audit');
    await filters.tap();
    await page.getByRole('textbox', { name: 'User or client ID' }).fill(user.email);
    await page.getByRole('button', { name: 'Search', exact: true }).tap();
    await page.getByRole('button', { name: 'Filters (1)', exact: true }).waitFor();
    expect(await page.getByRole('textbox', { name: 'User or client ID' }).isVisible()).toBe(false);
  });

  it.each([
    ['upright', PHONE, 12],
    ['on its side', PHONE_ON_ITS_SIDE, 7],
  ] as const)('%s, the rows of a result have the window', async (_name, size, rows) => {
    await page.setViewportSize(size);
    await open('');
    await runStatement(page, 'SELECT range AS n, range * 2 AS m FROM range(500)');
    await untilState(page, 'Complete');
    await resultGrid(page).getByRole('gridcell', { name: '4', exact: true }).first().waitFor();
    await takeScreenshot(page, `phone-rows-${size.width}`);
    expect(await countRowsInView(page)).toBeGreaterThanOrEqual(rows);
    expect(await findAxeViolations(page)).toEqual([]);
  });

  it('the sign-in fits on its side, without scrolling', async () => {
    await using other = await visit(browser, { isPhone: true });
    await other.page.setViewportSize(PHONE_ON_ITS_SIDE);
    await other.page.goto(hosts.console.url);
    await other.page.getByLabel('E-mail').waitFor();
    expect((await findPhoneFaults(other.page)).targets).toEqual([]);
    const button = await other.page.getByRole('button', { name: 'Sign in' }).boundingBox();
    expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(PHONE_ON_ITS_SIDE.height);
  });
});

describe('a time', () => {
  it.each([
    ['en', /^\d{1,2} [A-Z][a-z]{2,3} \d{4}, \d\d:\d\d:\d\d$/],
    ['de', /^\d\d\.\d\d\.\d{4}, \d\d:\d\d:\d\d$/],
  ] as const)('is written as in the region of the browser (%s)', async (language, pattern) => {
    await using other = await visit(browser, { language });
    await openSignedIn(other.page, `${hosts.console.url}audit`, user);
    const time = other.page.getByRole('row').nth(1).getByRole('rowheader');
    await time.waitFor();
    expect(await time.textContent()).toMatch(pattern);
  });
});

/** Background of a button that takes something away, in the light theme. */
const DANGER = 'rgb(180, 38, 28)';

/** Dialogs that change something: the page, the control that opens each, and its button that takes something away. */
const DIALOGS: readonly (readonly [path: string, open: (at: Page) => Promise<void>, danger?: string])[] = [
  ['admin?view=users', (at) => at.getByRole('button', { name: 'Invite a user' }).click()],
  ['admin?view=users', (at) => at.getByRole('row').filter({ hasText: 'maximiliane' }).click(), 'Delete …'],
  ['admin?view=roles', (at) => at.getByRole('row').filter({ hasText: 'auditor' }).click(), 'Delete …'],
  ['admin?view=grants', (at) => at.getByRole('button', { name: 'New grant' }).click()],
  ['admin?view=sessions', (at) => at.getByRole('row').nth(1).click(), 'End the session'],
  [
    'requests',
    async (at) => {
      await at.getByRole('button', { name: /^Refuse/ }).click();
      await at.getByRole('dialog').getByRole('textbox').fill('Not for this purpose.');
    },
    'Refuse',
  ],
  ['account', (at) => at.getByRole('button', { name: /^End all other/ }).click(), 'End all other sessions'],
];

describe('a dialog that changes something', () => {
  it('has "Cancel", and its dangerous button looks so', async () => {
    await using other = await visit(browser);
    // A colour that changes slowly is another one meanwhile.
    await other.page.emulateMedia({ reducedMotion: 'reduce' });
    await openSignedIn(other.page, hosts.console.url, user);
    for (const [path, openDialog, danger] of DIALOGS) {
      await other.page.goto(`${hosts.console.url}${path}`);
      await openDialog(other.page);
      const dialog = other.page.getByRole('dialog').or(other.page.getByRole('alertdialog'));
      await dialog.getByRole('button', { name: 'Cancel' }).waitFor();
      if (danger !== undefined) {
        // "Refuse" is enabled once the page has seen the reason. Even the shortest transition begins with the colours of a disabled one.
        const button = dialog.getByRole('button', { name: danger, exact: true, disabled: false });
        const { color, background } = await button.evaluate(async (element) => {
          await Promise.allSettled(element.getAnimations().map(({ finished }) => finished));
          const style = getComputedStyle(element);
          return { color: style.color, background: style.backgroundColor };
        });
        expect([danger, [color, background]]).toEqual([danger, expect.arrayContaining([DANGER])]);
      }
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    expect(other.faults).toEqual([]);
  });
});
