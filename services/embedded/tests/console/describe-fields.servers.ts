import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BuiltUser } from '@sluice/testkit';
import type { Browser, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type FindDataHosts, startFindDataHosts } from './find-data-fixture.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

let hosts: FindDataHosts;
let browser: Browser;
let steward: BuiltUser;
let guest: Visit;
let page: Page;
beforeAll(async () => {
  [hosts, browser] = await Promise.all([startFindDataHosts(), startBrowser()]);
  const { build, acme } = hosts.console.hosts;
  steward = await build.user(acme, { roles: ['steward'] });
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await hosts?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  guest = await visit(browser);
  page = guest.page;
  const fields = ['id', 'name', 'price'].map((name) => ({ name, description: null, tags: [] }));
  const object = { type: 'TABLE' as const, id: 'shop.main.items', fields };
  await hosts.steward.api.importMetadata({ body: { metadata_objects: [object] } });
});
afterEach(async () => {
  await guest[Symbol.asyncDispose]();
  expect(guest.faults).toEqual([]);
});

const WIDE_COLUMNS = 1500;
const grid = (at = page) => at.getByRole('grid', { name: 'Descriptions and tags of the columns' });
const cell = (column: string, property: 'description' | 'tags' = 'description') =>
  grid()
    .getByRole('row', { name: new RegExp(`^${column} `) })
    .locator(`[data-column=${property}]`);
const press = (keys: string) => page.keyboard.press(keys);
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** Opens the grid of a table, with its first cell active. */
async function openGrid(table = 'items'): Promise<void> {
  await openSignedIn(page, `${hosts.console.url}tables/shop/main/${table}`, steward);
  await button('Edit description and tags').click();
  await grid().focus();
}

/** Pastes what a spreadsheet puts on the clipboard. */
async function paste(text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await press('Control+v');
}

async function save(): Promise<void> {
  await button('Save').click();
  await page.getByText('Changes saved.').waitFor();
}

const stored = async (table = 'items') => {
  const params = { catalog: 'shop', schema: 'main', table };
  const { columns } = await hosts.steward.api.getCatalogTable({ params });
  return columns.map(({ name, description, tags }) => [name, description, tags] as const);
};

describe('a pasted column', () => {
  it('fills descriptions and tags, with line ends and quotes of cells, and is undone and done again as one', async () => {
    await openGrid();
    await paste('Number of the item\tkey; PII\r\n"First line\r\nsays ""so"""\t\r\nIn euros\tmoney\r\n');
    await cell('price').getByText('In euros').waitFor();
    await cell('name').getByText('First line says "so"').waitFor();
    await press('Control+z');
    await cell('price').getByText('In euros').waitFor({ state: 'detached' });
    expect(await button('Save').isDisabled()).toBe(true);
    await press('Control+Shift+z');
    await cell('price').getByText('In euros').waitFor();
    await takeScreenshot(page, 'describe-pasted');
    expect(await findAxeViolations(page)).toEqual([]);
    await save();
    expect(await stored()).toEqual([
      ['id', 'Number of the item', ['key', 'PII']],
      ['name', 'First line\nsays "so"', []],
      ['price', 'In euros', ['money']],
    ]);
  });

  it('of 10,000 rows changes nothing and says so, and fills what there is when the user wants that', async () => {
    await openGrid('wide');
    const rows = Array.from({ length: 10_000 }, (_, row) => `Row ${row + 1}`);
    await paste(`${rows.join('\n')}\n`);
    await page
      .getByText(
        `The clipboard has 10,000 rows, and only ${WIDE_COLUMNS.toLocaleString('en')} columns are left from this cell on. Nothing was pasted.`,
      )
      .waitFor();
    expect(await button('Save').isDisabled()).toBe(true);
    expect(await findAxeViolations(page)).toEqual([]);
    await button('Paste the first 1,500 rows').click();
    await cell('column_0').getByText('Row 1', { exact: true }).waitFor();
    await grid().focus();
    await press('Control+End');
    await cell('column_1499').getByText('Row 1500', { exact: true }).waitFor();
    // Only the rows in view are elements.
    expect(await grid().getByRole('row').count()).toBeLessThan(60);
    await press('Control+z');
    await cell('column_1499').getByText('Row 1500', { exact: true }).waitFor({ state: 'detached' });
    await press('Control+y');
    await cell('column_1499').getByText('Row 1500', { exact: true }).waitFor();
    await save();
    const described = await stored('wide');
    expect(described).toHaveLength(WIDE_COLUMNS);
    expect(described.every(([name, text]) => text === `Row ${Number(name.slice('column_'.length)) + 1}`)).toBe(true);
  });

  it('of more cells in a row than fit changes nothing and says so', async () => {
    await openGrid();
    await press('ArrowRight');
    await paste('a\tb\nc\td\n');
    await page.getByText('The clipboard has 2 cells in a row, and only 1 fits here. Nothing was pasted.').waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
    await page.getByText('Nothing was pasted.').waitFor({ state: 'detached' });
    expect(await button('Save').isDisabled()).toBe(true);
  });
});

describe('the keyboard', () => {
  it('types into a cell, cancels, moves on, fills down, empties, undoes, and copies', async () => {
    await openGrid();
    await page.keyboard.type('Abc');
    await page.getByRole('textbox', { name: 'Description of id' }).waitFor();
    await press('Shift+Enter');
    await page.keyboard.type('second');
    await press('Enter');
    await cell('id').getByText('Abc second').waitFor();
    // The next row is active.
    await page.keyboard.type('gone');
    await press('Escape');
    expect(await cell('name').textContent()).toBe('');
    await press('ArrowUp');
    await press('Shift+ArrowDown');
    await press('Shift+ArrowDown');
    await press('Control+d');
    await cell('price').getByText('Abc second').waitFor();
    await press('Control+c');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      ['"Abc\nsecond"', '"Abc\nsecond"', '"Abc\nsecond"'].join('\n'),
    );
    await press('Delete');
    await cell('price').getByText('Abc second').waitFor({ state: 'detached' });
    await button('Undo').click();
    await cell('price').getByText('Abc second').waitFor();
    await button('Undo').click();
    await cell('price').getByText('Abc second').waitFor({ state: 'detached' });
    await button('Redo').click();
    await save();
    expect((await stored()).map(([, description]) => description)).toEqual(Array(3).fill('Abc\nsecond'));
  });

  it('finds tags in use, so that one thing gets one tag', async () => {
    await openGrid();
    await press('ArrowRight');
    await page.keyboard.type('time');
    const option = page.getByRole('option', { name: 'time series' });
    await option.waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'describe-tags');
    await press('ArrowDown');
    await press('Enter');
    await page.keyboard.type('new one');
    await press('Enter');
    await cell('id', 'tags').getByText('time series, new one').waitFor();
    await cell('price', 'tags').dblclick();
    await page.keyboard.type('sto');
    await page.getByRole('option', { name: 'stock' }).click();
    await press('Tab');
    await save();
    expect((await stored()).map(([, , tags]) => tags)).toEqual([['time series', 'new one'], [], ['stock']]);
  });
});

it('sample values are beside the columns when the user asks for them', async () => {
  await openGrid();
  expect(await page.getByText('nut · bolt').count()).toBe(0);
  await button('Show sample values').click();
  await page.getByText('nut · bolt').waitFor();
  await page.getByText('1 · 2 · 3').waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'describe-samples');
});

it('at least ten columns are in view, and the others come while scrolling', async () => {
  await openGrid('wide');
  const visible = await grid().evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return [...element.querySelectorAll('[data-column=description]')].filter((each) => {
      const box = each.getBoundingClientRect();
      return box.top >= top && box.bottom <= bottom;
    }).length;
  });
  expect(visible).toBeGreaterThanOrEqual(10);
  await grid().evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  await cell('column_1499').waitFor();
});

it('the filter of columns narrows what a paste fills', async () => {
  await openGrid('wide');
  await page.getByRole('searchbox', { name: 'Search the columns' }).fill('column_77');
  await cell('column_77').waitFor();
  await grid().focus();
  await paste('first\nsecond\n');
  await cell('column_77').getByText('first').waitFor();
  await cell('column_770').getByText('second').waitFor();
  await button('Discard the changes').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard the changes' }).click();
});

describe.each(['light', 'dark'] as const)('on a phone in German (%s)', (theme) => {
  it('is accessible, does not widen the page, and takes a paste', async () => {
    await using other = await visit(browser, { theme, isPhone: true, language: 'de' });
    await other.page.goto(`${hosts.console.url}tables/shop/main/items`);
    await other.page.getByLabel('E-mail').fill(steward.email);
    await other.page.locator('input[type=password]').fill(steward.password);
    await other.page.keyboard.press('Enter');
    await other.page.getByRole('button', { name: 'Beschreibung und Tags bearbeiten' }).click();
    const cells = other.page.getByRole('grid', { name: 'Beschreibungen und Tags der Spalten' });
    await cells.scrollIntoViewIfNeeded();
    await cells.focus();
    const rows = Array.from({ length: 10 }, (_, row) => `Zeile ${row}`).join('\n');
    await other.page.evaluate((text) => navigator.clipboard.writeText(text), rows);
    await other.page.keyboard.press('Control+v');
    await other.page
      .getByText(
        'Die Zwischenablage hat 10 Zeilen, und ab dieser Zelle gibt es nur noch 3 Spalten der Tabelle. Nichts wurde eingefügt.',
      )
      .waitFor();
    await other.page.getByRole('button', { name: 'Die ersten 3 Zeilen einfügen' }).click();
    await cells.getByText('Zeile 2').waitFor();
    expect(await findAxeViolations(other.page)).toEqual([]);
    await takeScreenshot(other.page, `describe-${theme}-phone`);
    const overflow = await other.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(other.faults).toEqual([]);
  });
});
