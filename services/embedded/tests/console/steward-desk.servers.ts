import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ImportObject } from '@sluice/client';
import { type BuiltUser, until } from '@sluice/testkit';
import type { Browser, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type FindDataHosts, startFindDataHosts } from './find-data-fixture.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

let hosts: FindDataHosts;
let browser: Browser;
let steward: BuiltUser;
let analyst: BuiltUser;
let guest: Visit;
let page: Page;
beforeAll(async () => {
  [hosts, browser] = await Promise.all([startFindDataHosts(), startBrowser()]);
  const { build, acme } = hosts.console.hosts;
  steward = await build.user(acme, { email: 'dana@acme.example', roles: ['steward'] });
  analyst = await build.user(acme, { roles: ['analyst'] });
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await hosts?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  guest = await visit(browser);
  page = guest.page;
});
afterEach(async () => {
  await guest[Symbol.asyncDispose]();
  expect(guest.faults).toEqual([]);
});

const open = (path: string, user = steward) => openSignedIn(page, `${hosts.console.url}${path}`, user);
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const domainField = () => page.getByRole('combobox', { name: 'Domains' });
const describeItems = (change: Omit<ImportObject, 'type' | 'id'>): Promise<unknown> =>
  hosts.steward.api.importMetadata({
    body: { metadata_objects: [{ type: 'TABLE', id: 'shop.main.items', ...change }] },
  });
const items = () => hosts.steward.api.getCatalogTable({ params: { catalog: 'shop', schema: 'main', table: 'items' } });

describe('domains', () => {
  it('are listed, created, changed and deleted, each with a page that says what is in it', async () => {
    await open('search');
    await page.getByRole('link', { name: 'Domains', exact: true }).click();
    await page.getByRole('link', { name: 'Warehouse' }).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await button('New domain').click();
    await field('Name').fill('Logistics');
    await field('Owner').fill('nobody@acme.example');
    await button('Save').click();
    await page.getByText(/is not the e-mail of a user of this tenant/).waitFor();
    await field('Owner').fill(steward.email);
    await button('Save').click();
    await page.getByRole('heading', { name: 'Logistics' }).waitFor();
    await page.getByText(steward.email).first().waitFor();
    await page.getByText('Nothing belongs to this domain yet.').waitFor();
    await button('Edit the domain').click();
    await field('Description').fill('Where *everything* is.');
    await button('Save').click();
    await page.getByText('Where everything is.').waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await button('Delete …').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the domain' }).click();
    await page.getByText('Logistics deleted.').waitFor();
    await page.getByRole('link', { name: 'Warehouse' }).click();
    await page.getByRole('row', { name: /shop\.main\.items/ }).waitFor();
    await takeScreenshot(page, 'domain');
    await page.getByRole('link', { name: 'shop.main.items' }).click();
    await page.getByRole('heading', { name: 'items' }).waitFor();
    await page.getByRole('link', { name: 'Warehouse' }).click();
    await page.getByRole('heading', { name: 'Warehouse' }).waitFor();
  });

  it('can be read but not changed without metadata:write', async () => {
    await open(`domains/${hosts.domainId}`, analyst);
    await page.getByRole('link', { name: 'shop.main.items' }).waitFor();
    expect(await button('Edit the domain').count()).toBe(0);
    await page.getByRole('link', { name: 'Domains', exact: true }).click();
    await page.getByRole('link', { name: 'Warehouse' }).waitFor();
    expect(await button('New domain').count()).toBe(0);
  });

  it('that are misspelt block no saving of an item: the name meant is offered, or a new domain', async () => {
    await open('marketplace/NEW');
    await field('Title').fill('Stock list');
    await button('Add Cheap items').click();
    await domainField().fill('Wharehouse');
    await button('Save').click();
    await page.getByRole('heading', { name: 'Who may download it' }).waitFor();
    const read = () => hosts.steward.stream.getMarketplaceItem({ params: { id: 'stock-list' } });
    expect((await read()).domains).toEqual([]);
    await domainField().fill('Wharehouse');
    await page.keyboard.press('Enter');
    await page.getByText('There is no domain Wharehouse. It was not added.').waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'domain-misspelt');
    await button('Use Warehouse').click();
    await button('Remove the domain Warehouse').waitFor();
    await domainField().fill('Stocktaking');
    await page.keyboard.press('Enter');
    await button('New domain Stocktaking').click();
    await button('Remove the domain Stocktaking').waitFor();
    await button('Save').click();
    const named = await until(
      async () => {
        const { domain_names: names } = await read();
        return names.length > 0 ? names : undefined;
      },
      { what: 'the domains of the item' },
    );
    expect(named).toEqual(['Warehouse', 'Stocktaking']);
  });

  it('have names in the marketplace for users who may not read the list of domains', async () => {
    const { build, acme } = hosts.console.hosts;
    await hosts.steward.stream.createMarketplaceItem({
      body: {
        ...{ id: 'named', title: 'Named', domains: [hosts.domainId] },
        queries: [{ name: 'q', datamap_id: hosts.datamapId }],
      },
    });
    const consumer = await build.user(acme, { roles: [] });
    await open('marketplace', consumer);
    await page.getByRole('list', { name: 'Items' }).getByRole('link', { name: 'Warehouse' }).first().click();
    await page.getByRole('list', { name: 'Chosen filters' }).getByText('Warehouse').waitFor();
    await page.getByRole('link', { name: 'Named' }).click();
    await page.getByRole('link', { name: 'Warehouse' }).waitFor();
    expect(await page.getByText(hosts.domainId).count()).toBe(0);
  });
});

describe('a table', () => {
  it('gets domains and an owner in its form', async () => {
    await describeItems({ domains: [], owner: null });
    await open('tables/shop/main/items');
    await button('Edit description and tags').click();
    await domainField().fill('warehouse');
    await page.keyboard.press('Enter');
    await button('Remove the domain Warehouse').waitFor();
    await field('Owner').fill(analyst.email);
    await button('Save').click();
    await page.getByText('Changes saved.').waitFor();
    await page.getByText(`Owner: ${analyst.email}`).waitFor();
    await page.getByRole('link', { name: 'Warehouse' }).waitFor();
    expect(await items()).toMatchObject({ domains: [hosts.domainId], owner: analyst.email });
  });
});

describe('coverage', () => {
  it('says how many tables are described, and lists the others by schema', async () => {
    await open('metadata');
    await page.getByRole('tab', { name: 'Coverage' }).click();
    const { table_count: count, described_count: described } = await hosts.steward.api.getMetadataCoverage();
    expect(described).toBeGreaterThan(0);
    await page.getByText(`${described} of ${count} tables described`).waitFor();
    await page.getByRole('row', { name: /shop\.main\.wide/ }).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'coverage');
    await button(/^Show \d+ tables of shop\.odd\.schema without a description$/).click();
    await page.getByText('Only tables of shop.odd.schema.').waitFor();
    await page.getByRole('row', { name: /shop\.main\.wide/ }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('Only tables of shop.odd.schema.').waitFor();
    await button('Show all schemas').click();
    await page.getByRole('link', { name: 'shop.main.wide' }).click();
    await page.getByRole('heading', { name: 'wide' }).waitFor();
  });
});

describe('the changes of a table', () => {
  it('are listed with who and when, and one is reverted by a new change', async () => {
    await describeItems({ description: 'Right.', tags: ['stock'] });
    await describeItems({ description: 'Wrong.', fields: [{ name: 'price', description: 'In dollars.' }] });
    await open('tables/shop/main/items');
    await page.getByRole('tab', { name: 'Changes' }).click();
    const last = page.getByRole('listitem').filter({ hasText: 'Wrong.' }).first();
    await last.getByText(hosts.stewardUser.email).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'changes');
    await last.getByRole('button', { name: /^Revert version/ }).click();
    const question = page.getByRole('dialog', { name: 'Revert this change?' });
    await question.getByText('Description of the column price').waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await question.getByRole('button', { name: 'Revert the change' }).click();
    await page.getByText('Change reverted.').waitFor();
    expect(await items()).toMatchObject({ description: 'Right.', tags: ['stock'] });
    await page.getByRole('listitem').filter({ hasText: steward.email }).first().waitFor();
  });

  it('are not reverted over a change that the user has not seen', async () => {
    await describeItems({ description: 'One.' });
    await describeItems({ description: 'Two.' });
    await open('tables/shop/main/items');
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page
      .getByRole('button', { name: /^Revert version/ })
      .first()
      .click();
    await describeItems({ description: 'Meanwhile.' });
    await page.getByRole('dialog').getByRole('button', { name: 'Revert the change' }).click();
    await page.getByText(/has changed since/).waitFor();
    expect((await items()).description).toBe('Meanwhile.');
  });

  it('are not shown to users who may not change it', async () => {
    await open('tables/shop/main/items', analyst);
    await page.getByRole('tab', { name: 'Sample rows' }).waitFor();
    expect(await page.getByRole('tab', { name: 'Changes' }).count()).toBe(0);
  });
});

it('the pages of the desk are accessible on a phone in German', async () => {
  await using other = await visit(browser, { theme: 'dark', isPhone: true, language: 'de' });
  await other.page.goto(`${hosts.console.url}domains`);
  await other.page.getByLabel('E-mail').fill(steward.email);
  await other.page.locator('input[type=password]').fill(steward.password);
  await other.page.keyboard.press('Enter');
  await other.page.getByRole('link', { name: 'Warehouse' }).click();
  await other.page.getByRole('heading', { name: 'In dieser Domäne' }).waitFor();
  const inspect = async (name: string): Promise<void> => {
    expect(await findAxeViolations(other.page)).toEqual([]);
    await takeScreenshot(other.page, name);
    const overflow = await other.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  };
  await inspect('domain-phone');
  await other.page.goto(`${hosts.console.url}metadata?tab=coverage`);
  await other.page.getByText(/Tabellen beschrieben/).waitFor();
  await inspect('coverage-phone');
  await other.page.goto(`${hosts.console.url}tables/shop/main/items`);
  await other.page.getByRole('tab', { name: 'Änderungen' }).click();
  await other.page
    .getByText(/^Version/)
    .first()
    .waitFor();
  await inspect('changes-phone');
  expect(other.faults).toEqual([]);
});
