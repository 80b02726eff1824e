import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BuiltUser } from '@sluice/testkit';
import type { Browser, Page } from 'playwright-core';
import { createAccessibilityInspector } from './accessibility-inspector.ts';
import { findAxeViolations } from './axe.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type FindDataHosts, startFindDataHosts } from './find-data-fixture.ts';
import { findTraces, NO_TRACES, PAYLOADS } from './hostile-payloads.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

let hosts: FindDataHosts;
let browser: Browser;
let analyst: BuiltUser;
let guest: Visit;
let page: Page;
beforeAll(async () => {
  [hosts, browser] = await Promise.all([startFindDataHosts(), startBrowser()]);
  const { build, acme } = hosts.console.hosts;
  analyst = await build.user(acme, { roles: ['analyst'] });
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await hosts?.[Symbol.asyncDispose]();
});
let items = 0;
/** Id of an item of the test. */
let id: string;
beforeEach(async () => {
  guest = await visit(browser);
  page = guest.page;
  items += 1;
  id = `item-${items}`;
  const queries = [{ name: 'Cheap', datamap_id: hosts.datamapId }];
  await hosts.steward.stream.createMarketplaceItem({ body: { id, title: `Item ${items}`, queries } });
});
afterEach(async () => {
  await guest[Symbol.asyncDispose]();
  expect(guest.faults).toEqual([]);
});

const open = (path: string, user = hosts.stewardUser) => openSignedIn(page, `${hosts.console.url}${path}`, user);
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const dialog = () => page.getByRole('alertdialog');
const inspector = createAccessibilityInspector();
const item = (of = id) => hosts.steward.stream.getMarketplaceItem({ params: { id: of } });
const grants = async () => (await hosts.steward.stream.getMarketplaceGrants({ params: { id } })).grants;

describe('the owner of an item', () => {
  it('creates it from published datamaps', async () => {
    await open('marketplace');
    await page.getByRole('link', { name: 'New item' }).click();
    await field('Title').fill(`Cheap goods ${items}`);
    await page.getByRole('group', { name: 'Tags' }).getByRole('combobox').fill('shop');
    await page.keyboard.press('Enter');
    await button('Save').click();
    await page.getByText('Add at least one datamap.').waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole('searchbox', { name: 'Add a published datamap' }).fill('cheap');
    await button('Add Cheap items').click();
    await field('Name of query 1').fill('Goods');
    await button('Save').click();
    await page.getByRole('heading', { name: 'Who may download it' }).waitFor();
    const stored = await item(`cheap-goods-${items}`);
    expect(stored).toMatchObject({ title: `Cheap goods ${items}`, tags: ['shop'], queries: [{ name: 'Goods' }] });
  });

  it('grants it, and sees who loses access before a grant is taken back', async () => {
    await open(`marketplace/${id}/edit`);
    await field('E-mail').fill(analyst.email);
    await button('Add').click();
    await page.getByText('New, not saved yet').waitFor();
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByText('You have unsaved grants.').waitFor();
    await page.getByRole('link', { name: 'Back to the grants' }).click();
    await page.getByRole('row').filter({ hasText: analyst.email }).getByText('New, not saved yet').waitFor();
    expect(await inspector.inspect(page, 'item-grants-unsaved')).toEqual([]);
    await page.getByRole('heading', { name: 'Who may download it' }).scrollIntoViewIfNeeded();
    await takeScreenshot(page, 'item-grants-unsaved');
    expect(await grants()).toEqual([]);
    await button('Save the grants').click();
    await page.getByText('Item saved.').waitFor();
    await page.getByText('New, not saved yet').waitFor({ state: 'detached' });
    expect(await grants()).toMatchObject([{ kind: 'user', name: analyst.email }]);
    await button(`Remove the grant of ${analyst.email}`).click();
    await page.getByText(`${analyst.email} can no longer download it`).waitFor();
    expect(await inspector.inspect(page, 'item-grants')).toEqual([]);
    expect(await grants()).toHaveLength(1);
    await button('Save the grants').click();
    await button('Save the grants').waitFor({ state: 'detached' });
    await page.getByText('You have granted it to no other account.').waitFor();
    expect(await grants()).toEqual([]);
  });

  it('gets other domains, and another owner from an admin', async () => {
    const { build, acme } = hosts.console.hosts;
    const name = `Retail ${items}`;
    const domain = await hosts.steward.api.createDomain({ body: { name } });
    const other = await build.user(acme, { roles: ['steward'] });
    await open(`marketplace/${id}/edit`);
    const domains = page.getByRole('combobox', { name: 'Domains' });
    await domains.fill('No such domain');
    await page.keyboard.press('Enter');
    await page.getByText('There is no domain No such domain.').waitFor();
    await domains.fill(name.toLowerCase());
    await page.keyboard.press('Enter');
    await button(`Remove the domain ${name}`).waitFor();
    await field('Owner').fill(other.email);
    await button('Save').click();
    await dialog().getByText('no longer owns it').waitFor();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByText('Item saved.').waitFor();
    expect(await item()).toMatchObject({ domains: [domain.id], owner: other.email });
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'item-owner');
    await using visitor = await visit(browser);
    await openSignedIn(visitor.page, `${hosts.console.url}marketplace/${id}/edit`, other);
    await visitor.page.getByRole('button', { name: `Remove the domain ${name}` }).waitFor();
    expect(await visitor.page.getByRole('textbox', { name: 'Owner' }).count()).toBe(0);
  });

  it('ends a grant sooner, and keeps a grant that somebody else adds meanwhile', async () => {
    const { build, acme } = hosts.console.hosts;
    // Grants are sorted by name.
    const other = await build.user(acme, { email: `zoe-${items}@acme.example`, roles: ['analyst'] });
    const never = { kind: 'user', name: analyst.email } as const;
    const put = (...list: (typeof never)[]) =>
      hosts.steward.stream.putMarketplaceGrants({ params: { id }, body: { grants: list } });
    await put(never);
    await open(`marketplace/${id}/edit`);
    await field('E-mail').fill(analyst.email.toUpperCase());
    await button('Add').click();
    await page.getByText(`The access of ${analyst.email.toUpperCase()} ends sooner`).waitFor();
    await put(never, { kind: 'user', name: other.email });
    await button('Save the grants').click();
    await page.getByText('Item saved.').waitFor();
    expect(await grants()).toMatchObject([
      { name: analyst.email, expires_ts: expect.any(Number) },
      { name: other.email, expires_ts: null },
    ]);
    await button(`Remove the grant of ${other.email}`).click();
    await put(never);
    await button('Save the grants').click();
    await page.getByText('Someone else changed the grants in the meantime.').waitFor();
    expect(await grants()).toMatchObject([{ name: analyst.email, expires_ts: null }]);
  });

  it('is asked before a change breaks downloads, and sees who has a grant', async () => {
    await hosts.steward.stream.putMarketplaceGrants({
      params: { id },
      body: { grants: [{ kind: 'user', name: analyst.email }] },
    });
    const { id: other } = await hosts.steward.api.createDatamap({
      body: { name: `other ${items}`, sql: 'SELECT 1 AS n' },
    });
    await hosts.steward.api.publishDatamap({ params: { id: other } });
    await open(`marketplace/${id}/edit`);
    await field('Description').fill('Nothing breaks.');
    await button('Save').click();
    await page.getByText('Item saved.').waitFor();
    await page.getByRole('searchbox', { name: 'Add a published datamap' }).fill(`other ${items}`);
    await button(`Add other ${items}`).click();
    await button('Remove query 1').click();
    await button('Save').click();
    await dialog().getByText('A download no longer has the query Cheap.').waitFor();
    await dialog().getByText('No query uses the parameter $max any longer.').waitFor();
    await dialog().getByText(`1 recipient has a grant: ${analyst.email}`).waitFor();
    expect(await inspector.inspect(page, 'item-change')).toEqual([]);
    expect((await item()).queries).toMatchObject([{ name: 'Cheap' }]);
    await dialog().getByRole('button', { name: 'Save' }).click();
    await button('Discard the changes').waitFor({ state: 'detached' });
    expect((await item()).queries).toMatchObject([{ name: `other ${items}` }]);
  });

  it('deletes it after a question, and follows that to its audit record', async () => {
    await hosts.steward.stream.putMarketplaceGrants({
      params: { id },
      body: { grants: [{ kind: 'role', name: 'analyst' }] },
    });
    await open(`marketplace/${id}/edit`);
    await button('Delete this item').click();
    await dialog().getByText('1 recipient loses access: analyst').waitFor();
    await dialog().getByText('It is permanently deleted, with its grants and access requests.').waitFor();
    expect(await inspector.inspect(page, 'item-delete')).toEqual([]);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    expect((await item()).title).toBe(`Item ${items}`);
    await button('Delete this item').click();
    await dialog().getByRole('button', { name: 'Delete this item' }).click();
    // The notification leaves after a while, so it is followed immediately.
    await page.getByRole('link', { name: 'In the audit log' }).click();
    await expect(item()).rejects.toMatchObject({ code: 'not_found' });
    await page.getByRole('grid', { name: 'Records' }).getByText(hosts.stewardUser.email).first().waitFor();
  });

  it('learns which datamap is not published, and cannot save until it is removed', async () => {
    const { id: draft } = await hosts.steward.api.createDatamap({
      body: { name: `gone ${items}`, sql: 'SELECT 1 AS n' },
    });
    await hosts.steward.api.publishDatamap({ params: { id: draft } });
    const queries = [...(await item()).queries, { name: 'Gone', datamap_id: draft }];
    await hosts.steward.stream.updateMarketplaceItem({
      params: { id },
      body: { title: 'Half', queries: queries.map(({ name, datamap_id }) => ({ name, datamap_id })) },
    });
    await hosts.steward.api.archiveDatamap({ params: { id: draft } });
    await open(`marketplace/${id}/edit`);
    await page.getByText('Its datamap is not published, so the item cannot be downloaded.').waitFor();
    await field('Title').fill('Whole');
    await button('Save').click();
    await page.getByText('A datamap is not published. Publish it, or remove its query.').waitFor();
    await button('Remove query 2').click();
    await button('Save').click();
    await dialog().getByText('A download becomes one file instead of a ZIP archive.').waitFor();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await button('Discard the changes').waitFor({ state: 'detached' });
    expect(await item()).toMatchObject({ title: 'Whole', queries: [{ name: 'Cheap' }] });
  });

  it('sees both versions of an item that somebody else has changed, and chooses', async () => {
    await open(`marketplace/${id}/edit`);
    await field('Title').fill('Mine');
    const { queries } = await item();
    const body = { title: 'Theirs', queries: queries.map(({ name, datamap_id }) => ({ name, datamap_id })) };
    await hosts.steward.stream.updateMarketplaceItem({ params: { id }, body });
    await button('Save').click();
    const conflict = page.getByRole('alert', { name: 'Someone else changed this in the meantime' });
    await conflict.getByText('Theirs').first().waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    expect((await item()).title).toBe('Theirs');
    await conflict.getByRole('button', { name: 'Keep mine' }).click();
    await button('Save').click();
    await page.getByText('Item saved.').waitFor();
    expect((await item()).title).toBe('Mine');
  });

  it('finds what was typed after a reload, and gets the sentence of the host for a recipient that does not exist', async () => {
    await open(`marketplace/${id}/edit`);
    await field('Description').fill('Typed and not saved.');
    await page.reload();
    await field('Description').waitFor();
    expect(await field('Description').inputValue()).toBe('Typed and not saved.');
    await field('E-mail').fill('nobody@acme.example');
    await button('Add').click();
    await page.getByText('there is no user nobody@acme.example').waitFor();
    expect(await button('Save the grants').count()).toBe(0);
    expect(await grants()).toEqual([]);
  });
});

it('an analyst is not led to the pages of owners', async () => {
  await open(`marketplace/${id}`, analyst);
  await page.getByRole('heading', { name: `Item ${items}` }).waitFor();
  expect(await page.getByRole('link', { name: 'Edit this item' }).count()).toBe(0);
});

describe('hostile text', () => {
  it('stays text in the form and in both versions of a conflict', async () => {
    const texts = PAYLOADS.filter((text) => !text.includes('\0') && text.isWellFormed() && text.trim() !== '');
    const tags = texts.map((text) => [...text].slice(0, 200).join(''));
    const queries = [{ name: tags[1] ?? 'q', datamap_id: hosts.datamapId }];
    const body = { title: tags[0] ?? '', description: texts.join('\n').slice(0, 90_000), tags, queries };
    await hosts.steward.stream.updateMarketplaceItem({ params: { id }, body });
    await open(`marketplace/${id}/edit`);
    await field('Title').fill(tags[2] ?? '');
    expect(await findTraces(page)).toEqual(NO_TRACES);
    await hosts.steward.stream.updateMarketplaceItem({ params: { id }, body: { ...body, title: tags[3] ?? '' } });
    await button('Save').click();
    await button('Keep theirs').waitFor();
    expect(await findTraces(page)).toEqual(NO_TRACES);
    await button('Keep mine').click();
    await field('Name of query 1').fill('plain');
    await button('Save').click();
    await dialog().getByText('and its file will be called "plain".').waitFor();
    expect(await findTraces(page)).toEqual(NO_TRACES);
    expect(await dialog().locator('img, script, iframe, style, math').count()).toBe(0);
  });
});

describe('the page', () => {
  it.each([
    ['on a desktop in English', 'light', false, 'en', 'Who may download it'],
    ['on a phone in German', 'dark', true, 'de', 'Wer es laden darf'],
  ] as const)('is accessible %s', async (_name, theme, isPhone, language, heading) => {
    await using other = await visit(browser, { theme, isPhone, language });
    await other.page.goto(`${hosts.console.url}marketplace/${id}/edit`);
    await other.page.getByLabel('E-mail').fill(hosts.stewardUser.email);
    await other.page.locator('input[type=password]').fill(hosts.stewardUser.password);
    await other.page.keyboard.press('Enter');
    await other.page.getByRole('heading', { name: heading }).waitFor();
    expect(await findAxeViolations(other.page)).toEqual([]);
    await takeScreenshot(other.page, `item-edit-${theme}${isPhone ? '-phone' : ''}`);
    const overflow = await other.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(other.faults).toEqual([]);
  });
});
