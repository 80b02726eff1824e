import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ImportObject } from '@sluice/client';
import type { BuiltUser } from '@sluice/testkit';
import type { Browser, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type FindDataHosts, startFindDataHosts } from './find-data-fixture.ts';
import { findTraces, NO_TRACES, PAYLOADS } from './hostile-payloads.ts';
import { statementEditor } from './query-page.ts';
import { takeDocsPicture, takeScreenshot } from './screenshots.ts';
import { fillSignInForm, openSignedIn } from './sign-in.ts';

let hosts: FindDataHosts;
let browser: Browser;
let steward: BuiltUser;
let guest: Visit;
let page: Page;
beforeAll(async () => {
  [hosts, browser] = await Promise.all([startFindDataHosts(), startBrowser()]);
  const { build, acme } = hosts.console.hosts;
  steward = await build.user(acme, { email: 'dana@acme.example', roles: ['steward', 'auditor'] });
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await hosts?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  guest = await visit(browser);
  page = guest.page;
  await describeItems({ description: 'Everything on the shelves.', tags: ['stock'], fields: [PRICE] });
});
afterEach(async () => {
  await guest[Symbol.asyncDispose]();
  expect(guest.faults).toEqual([]);
});

const ITEMS = 'tables/shop/main/items';
const PRICE = { name: 'price', description: 'In euros, without tax.', tags: ['money'] };

/** Changes the table as another steward does. */
const describeItems = (change: Omit<ImportObject, 'type' | 'id'>): Promise<unknown> =>
  hosts.steward.api.importMetadata({
    body: { metadata_objects: [{ type: 'TABLE', id: 'shop.main.items', ...change }] },
  });
const items = () => hosts.steward.api.getCatalogTable({ params: { catalog: 'shop', schema: 'main', table: 'items' } });
const priceOf = ({ columns }: Awaited<ReturnType<typeof items>>) => columns.find(({ name }) => name === 'price');
const open = (path = ITEMS, user: BuiltUser = steward) => openSignedIn(page, `${hosts.console.url}${path}`, user);
const editButton = () => page.getByRole('button', { name: 'Edit description and tags' });
const description = () => page.getByRole('textbox', { name: 'Description', exact: true });
const tagInput = (name = 'Tags') => page.getByRole('group', { name, exact: true }).getByRole('combobox');
/** Types into a cell of the grid of columns, and leaves it. */
async function editCell(column: string, text: string): Promise<void> {
  await page
    .getByRole('row', { name: new RegExp(`^${column} `) })
    .locator('[data-column=description]')
    .dblclick();
  const field = page.getByRole('textbox', { name: `Description of ${column}` });
  await field.fill(text);
  await page.keyboard.press('Enter');
  await field.waitFor({ state: 'detached' });
}
const saveButton = () => page.getByRole('button', { name: 'Save', exact: true });
/** Whether nothing covers the middle of an element. It runs in the page. */
const isOnScreen = (element: Element): boolean => {
  const { x, y, width, height } = element.getBoundingClientRect();
  const shown = document.elementFromPoint(x + width / 2, y + height / 2);
  return shown !== null && element.contains(shown);
};
const untilSaved = () => page.getByText('Changes saved.').waitFor();

async function openForm(path?: string, user?: BuiltUser): Promise<void> {
  await open(path, user);
  await editButton().click();
  await description().waitFor();
}

describe('a steward', () => {
  it('edits a table and its columns in place, and follows the change to its audit record', async () => {
    await openForm();
    await description().fill('All that we sell.');
    await tagInput().fill('mo-ney');
    // The list of the browser shows an option whose label contains what is typed.
    const option = page.locator('datalist option[value="money"]');
    expect(await option.getAttribute('label')).toBe('mo-ney → money');
    await tagInput().fill('retail');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove the tag stock' }).click();
    // The columns are below the form, and its buttons stay in view beside them.
    await page.setViewportSize({ width: 1280, height: 480 });
    await editCell('price', 'In euros.');
    const price = page.getByRole('gridcell', { name: 'In euros.' });
    await price.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    await page.getByText('Not saved yet.').waitFor();
    expect(await saveButton().evaluate(isOnScreen)).toBe(true);
    expect(await price.evaluate(isOnScreen)).toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByText('Tags: saving removes stock.').waitFor();
    await takeDocsPicture(page, 'console-edit');
    expect(await findAxeViolations(page)).toEqual([]);
    await saveButton().click();
    await untilSaved();
    await page.getByText('All that we sell.').waitFor();
    await page.getByText('In euros.').waitFor();
    const stored = await items();
    expect(stored).toMatchObject({ description: 'All that we sell.', tags: ['retail'] });
    expect(priceOf(stored)).toMatchObject({ description: 'In euros.', tags: ['money'] });
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'In the audit log' }).click();
    await page.getByText('1 record', { exact: true }).waitFor();
    await page.getByRole('grid', { name: 'Records' }).getByText(steward.email).first().waitFor();
  });

  it('edits with the keyboard alone, and several pasted tags at once', async () => {
    await open();
    await editButton().focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('Typed. ');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.evaluate(() => navigator.clipboard.writeText('one\ntwo, with a comma\nSTOCK\n'));
    await page.keyboard.press('Control+v');
    await page.getByText('two, with a comma').waitFor();
    await saveButton().focus();
    await page.keyboard.press('Enter');
    await untilSaved();
    expect(await items()).toMatchObject({ tags: ['stock', 'one', 'two, with a comma'] });
    expect((await items()).description).toContain('Typed.');
  });

  it('changes the name and a column of a datamap', async () => {
    await openForm(`datamaps/${hosts.datamapId}`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(' ');
    await page.getByText('Enter a name.').waitFor();
    expect(await saveButton().isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Cheapest items');
    await editCell('price', 'Gross.');
    await saveButton().click();
    await untilSaved();
    await page.getByRole('heading', { name: 'Cheapest items' }).waitFor();
    const { datamap } = await hosts.steward.api.getDatamap({ params: { id: hosts.datamapId } });
    expect(datamap.datamap_fields.map((field) => field.description)).toContain('Gross.');
  });

  it('sees both versions of what somebody else has changed meanwhile, and chooses', async () => {
    await openForm();
    await description().fill('Mine.');
    await tagInput().fill('mine');
    await page.keyboard.press('Enter');
    await describeItems({ description: 'Theirs.', tags: ['theirs'] });
    await saveButton().click();
    const conflicts = page.getByRole('alert', { name: 'Someone else changed this in the meantime' });
    await conflicts.getByText('Theirs.', { exact: true }).waitFor();
    await conflicts.getByText('Mine.', { exact: true }).waitFor();
    expect(await saveButton().isDisabled()).toBe(true);
    expect(await items()).toMatchObject({ description: 'Theirs.', tags: ['theirs'] });
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'edit-conflict');
    await conflicts.getByRole('button', { name: 'Keep mine' }).first().click();
    await conflicts.getByRole('button', { name: 'Keep theirs' }).click();
    await conflicts.waitFor({ state: 'detached' });
    await saveButton().click();
    await untilSaved();
    expect(await items()).toMatchObject({ description: 'Mine.', tags: ['theirs'] });
  });

  it('saves beside a change of somebody else that touches other values', async () => {
    await openForm();
    await editCell('price', 'Net.');
    await describeItems({ description: 'Changed meanwhile.' });
    await saveButton().click();
    await untilSaved();
    expect(await items()).toMatchObject({ description: 'Changed meanwhile.' });
    expect(priceOf(await items())?.description).toBe('Net.');
  });

  it('finds what was typed after a reload, and after a session that ended', async () => {
    await openForm();
    await description().fill('Not saved yet.');
    await page.reload();
    await page.getByText('These changes are from your last visit').waitFor();
    expect(await description().inputValue()).toBe('Not saved yet.');
    const { api } = hosts.console.hosts;
    await guest.context.request.get(`${api.url}/auth/logout/acme`, { maxRedirects: 0 });
    await saveButton().click();
    const ended = page.getByRole('alertdialog', { name: 'Your session has ended' });
    await ended.waitFor();
    const login = guest.context.waitForEvent('page');
    await page.keyboard.press('Enter');
    await fillSignInForm(await login, steward);
    await ended.waitFor({ state: 'detached' });
    expect(await description().inputValue()).toBe('Not saved yet.');
    await saveButton().click();
    await untilSaved();
    expect(await items()).toMatchObject({ description: 'Not saved yet.' });
    await page.reload();
    await editButton().waitFor();
  });

  it('discards changes only after a question', async () => {
    await openForm();
    await description().fill('Away with it.');
    await page.getByRole('button', { name: 'Discard the changes' }).click();
    const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    expect(await description().inputValue()).toBe('Away with it.');
    await page.getByRole('button', { name: 'Discard the changes' }).click();
    expect(await findAxeViolations(page)).toEqual([]);
    await question.getByRole('button', { name: 'Discard the changes' }).click();
    await page.getByText('Everything on the shelves.').waitFor();
    expect(await items()).toMatchObject({ description: 'Everything on the shelves.' });
  });

  it('gets the sentence of the host for a description that it rejects, and keeps the description', async () => {
    await openForm();
    await tagInput().fill('t'.repeat(257));
    await page.keyboard.press('Enter');
    await saveButton().click();
    await page.getByText(/a tag must have at most 256 characters/).waitFor();
    await page.getByRole('button', { name: `Remove the tag ${'t'.repeat(257)}` }).click();
    expect(await saveButton().isDisabled()).toBe(true);
  });
});

describe('a description in Markdown', () => {
  it('has its lines, lists, emphasis, code and links, and no HTML, image or link to a program', async () => {
    const text = [
      'Stock of **all** shops:\nevery morning at six.\n\n- by `price`\n- see https://wiki.example/stock\n',
      '<img src=x onerror=alert(1)> [here](javascript:alert(1)) ![](https://wiki.example/x.png)',
    ].join('\n');
    await describeItems({
      description: text,
      fields: [{ name: 'price', description: '*Net*, see [taxes](https://tax.example).' }],
    });
    await open();
    const shown = page.getByRole('main');
    await shown.getByRole('listitem').filter({ hasText: 'by price' }).locator('code').waitFor();
    expect(await shown.locator('strong').filter({ hasText: /^all$/ }).count()).toBe(1);
    const first = shown.getByText('Stock of all shops:');
    expect(await first.textContent()).toBe('Stock of all shops:\nevery morning at six.');
    expect(await first.evaluate((paragraph) => getComputedStyle(paragraph).whiteSpace)).toBe('pre-line');
    const links = shown.getByRole('link', { name: /^https:|^taxes$/ });
    const hrefs = await links.evaluateAll((all) =>
      all.map((link) => `${link.getAttribute('href')} ${link.getAttribute('rel')}`),
    );
    expect(hrefs).toEqual([
      'https://wiki.example/stock noopener noreferrer',
      'https://wiki.example/x.png noopener noreferrer',
      'https://tax.example noopener noreferrer',
    ]);
    await shown.getByText('<img src=x onerror=alert(1)> here').waitFor();
    expect(await shown.getByRole('img').count()).toBe(0);
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'markdown-description');
    await page.goto(`${hosts.console.url}search?q=items`);
    await page.getByText('Stock of all shops: every morning at six. by price see https://wiki.example/stock').waitFor();
  });

  it('is rendered beside the names that the editor completes', async () => {
    await describeItems({
      description: 'Stock of **all** shops:\n\n- by `price`\n- see https://wiki.example/stock\n- <b>x</b>',
    });
    await open('', await hosts.console.hosts.build.user(hosts.console.hosts.acme));
    await statementEditor(page).pressSequentially('SELECT * FROM shop.main.item');
    await page.getByRole('option', { name: /^items/ }).waitFor();
    const info = page.locator('.cm-completionInfo');
    await info.getByRole('listitem').filter({ hasText: 'by price' }).locator('code').waitFor();
    expect(await info.locator('strong').textContent()).toBe('all');
    expect(await info.getByRole('link').getAttribute('rel')).toBe('noopener noreferrer');
    await info.getByText('<b>x</b>').waitFor();
    await takeScreenshot(page, 'completion-markdown');
    expect(await findAxeViolations(page)).toEqual([]);
  });
});

describe('other users', () => {
  it('do not see the button, but the owner of a datamap does', async () => {
    const { build, acme, rows } = hosts.console.hosts;
    const analyst = await build.user(acme, { roles: ['analyst'] });
    await open(ITEMS, analyst);
    await page.getByText('Everything on the shelves.').waitFor();
    expect(await editButton().count()).toBe(0);
    const { id } = await hosts.steward.api.createDatamap({ body: { name: 'owned', sql: 'SELECT 1 AS n' } });
    await rows(`update datamaps set owner_id = $2, owner_name = $3 where fact_id = $1`, [
      id,
      analyst.id,
      analyst.email,
    ]);
    await page.goto(`${hosts.console.url}datamaps/${id}`);
    await editButton().click();
    await description().fill('By its owner.');
    await saveButton().click();
    await untilSaved();
  });
});

describe('hostile text', () => {
  it('stays text in the form, its tags and both versions of a conflict', async () => {
    const texts = PAYLOADS.filter((text) => !text.includes('\0') && text.isWellFormed() && text.trim() !== '');
    const tags = texts.filter((text) => [...text].length <= 256);
    const long = texts.join('\n').slice(0, 90_000);
    await describeItems({
      description: long,
      tags,
      fields: [{ name: 'price', description: long.slice(0, 5000), tags }],
    });
    await openForm();
    expect(await findTraces(page)).toEqual(NO_TRACES);
    await description().fill(`mine ${long.slice(0, 2000)}`);
    await describeItems({ description: `theirs ${long.slice(0, 80_000)}` });
    await saveButton().click();
    await page.getByRole('button', { name: 'Keep theirs' }).waitFor();
    expect(await findTraces(page)).toEqual(NO_TRACES);
    process.stdout.write(`hostile text in the form of metadata: ${texts.length} payloads\n`);
  });
});

describe.each(['light', 'dark'] as const)('the form (%s)', (theme) => {
  it.each([
    ['on a desktop in English', false, 'en', 'Edit description and tags'],
    ['on a phone in German', true, 'de', 'Beschreibung und Tags bearbeiten'],
  ] as const)('is accessible %s', async (_name, isPhone, language, button) => {
    await using other = await visit(browser, { theme, isPhone, language });
    await other.page.goto(`${hosts.console.url}${ITEMS}`);
    await other.page.getByLabel('E-mail').fill(steward.email);
    await other.page.locator('input[type=password]').fill(steward.password);
    await other.page.keyboard.press('Enter');
    await other.page.getByRole('button', { name: button }).click();
    await other.page.locator('textarea').first().waitFor();
    await takeScreenshot(other.page, `edit-${theme}${isPhone ? '-phone' : ''}`);
    // The bar with the buttons must not cover half a button: axe would call that one too small.
    await other.page.getByRole('grid').evaluate((element) => element.scrollIntoView({ block: 'center' }));
    expect(await findAxeViolations(other.page)).toEqual([]);
    await takeScreenshot(other.page, `edit-columns-${theme}${isPhone ? '-phone' : ''}`);
    const overflow = await other.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(other.faults).toEqual([]);
  });
});
