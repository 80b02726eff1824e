import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { chooseRows, runStatement, untilState } from './query-page.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

let console: ConsoleHosts;
let browser: Browser;
beforeAll(async () => {
  [console, browser] = await Promise.all([startConsoleHosts(), startBrowser()]);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
});

const SALES = `SELECT DATE '2026-01-01' + range::INTEGER AS day, ['north', 'south', 'east'][1 + range % 3] AS region,
  (1000 + 300 * sin(range / 9) + range % 17)::DECIMAL(9, 2) AS sales, CASE WHEN range % 10 = 0 THEN NULL ELSE range % 7 END AS returns
  FROM range(200)`;

const openView = async (page: Page, name: string) => {
  await page.getByRole('radio', { name }).click();
};
const drawing = (page: Page) => page.locator('.chart__drawing svg');

/** Saves the chart and returns the bytes of the file. */
async function saveAs(page: Page, format: 'SVG' | 'PNG'): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: format, exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`chart.${format.toLowerCase()}`);
  return await readFile(await download.path());
}

/** Asserts in both themes that a view has no violation of axe, and takes a picture of it. */
async function inspect(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await takeScreenshot(page, `${name}-${theme}`);
    expect(await findAxeViolations(page)).toEqual([]);
  }
}

describe('charts and summaries', () => {
  it('summarize each column, and draw the chart that suits the types', async () => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openSignedIn(page, console.url, console.hosts.ann);
    await runStatement(page, SALES);
    await untilState(page, 'Complete');
    await openView(page, 'Columns');
    const row = page.getByRole('row', { name: /^returns/ });
    await row.getByRole('cell', { name: '20', exact: true }).waitFor();
    expect(await row.getByRole('cell').allTextContents()).toEqual([
      '20',
      '7',
      '0',
      '6',
      expect.stringContaining('rows'),
    ]);
    await inspect(page, 'columns');

    await openView(page, 'Chart');
    await page.getByRole('region', { name: 'sales over day' }).waitFor();
    await drawing(page).waitFor();
    await inspect(page, 'chart-line');
    await page.getByRole('combobox', { name: 'Chart' }).selectOption('Bars');
    await page.getByRole('combobox', { name: 'Horizontal axis' }).selectOption('region');
    await page.getByRole('region', { name: 'sum of sales by region' }).waitFor();
    await page.getByText('Data of the chart').click();
    await page.getByRole('table', { name: 'sum of sales by region' }).waitFor();
    expect(await page.getByRole('rowheader').allTextContents()).toHaveLength(3);
    await inspect(page, 'chart-bar');
    await page.getByRole('combobox', { name: 'Show' }).selectOption('Average');
    await page.getByRole('region', { name: 'average of sales by region' }).waitFor();
    await page.getByRole('combobox', { name: 'and' }).selectOption('returns');
    await page.getByRole('region', { name: 'average of sales, returns by region' }).waitFor();
    await page.getByText('Data of the chart').click();
    expect(await page.getByRole('rowheader').allTextContents()).toHaveLength(6);
    await inspect(page, 'chart-series');
    expect(faults).toEqual([]);
  });
});

describe('a chart', () => {
  it('shows the rows that the grid shows, reads its points with the pointer and the keys, and cuts no name', async () => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openSignedIn(page, console.url, console.hosts.ann);
    await runStatement(
      page,
      `SELECT 'a name that is much longer than fourteen characters ' || range AS title, 10 * (1 + range) AS amount FROM range(12)`,
    );
    await untilState(page, 'Complete');
    await page.getByRole('searchbox', { name: 'Search the loaded rows' }).fill('characters 1');
    await openView(page, 'Chart');
    await page.getByText('only the rows that the filters of the grid show').waitFor();
    await page.getByText('Data of the chart').click();
    const names = [11, 10, 1].map((n) => `a name that is much longer than fourteen characters ${n}`);
    expect(await page.getByRole('rowheader').allTextContents()).toEqual(names);
    await drawing(page).waitFor();
    const drawn = (await drawing(page).textContent()) ?? '';
    for (const word of ['fourteen', 'characters 11']) expect(drawn).toContain(word);
    await page.getByRole('img', { name: /amount by title/ }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('status').getByText(`${names[0]} · 120`).waitFor();
    await openView(page, 'Rows');
    await page.getByRole('columnheader', { name: /^amount/ }).click();
    await openView(page, 'Chart');
    await page.getByText('Data of the chart').click();
    expect(await page.getByRole('rowheader').allTextContents()).toEqual([...names].reverse());
    await page.getByRole('img', { name: /amount by title/ }).focus();
    await page.keyboard.press('Home');
    await page.getByRole('status').getByText(`${names[2]} · 20`).waitFor();
    await inspect(page, 'chart-names');
    await drawing(page).locator('g[aria-label=bar] rect').first().hover();
    await page
      .getByRole('status')
      .getByText(/^a name.* · \d+$/)
      .waitFor();
    expect(faults).toEqual([]);
  });

  it('is saved as SVG and PNG', async () => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openSignedIn(page, console.url, console.hosts.ann);
    await runStatement(page, SALES);
    await untilState(page, 'Complete');
    await openView(page, 'Chart');
    await drawing(page).waitFor();
    const svg = (await saveAs(page, 'SVG')).toString();
    expect(svg).toMatch(/^<svg[^>]* xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(svg).not.toContain('<style');
    const png = await saveAs(page, 'PNG');
    expect([...png.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
    expect(png.length).toBeGreaterThan(5000);
    expect(faults).toEqual([]);
  });

  it('says that it shows a part, for a result that was cut', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    await openSignedIn(page, console.url, console.hosts.ann);
    // The browser drops what it has not read yet when a connection is cut.
    console.stream.damage('/query', { kind: 'cut', afterBytes: 5_000_000 });
    await chooseRows(page, 'All');
    await runStatement(page, 'SELECT range AS n, range % 7 AS m FROM range(1000000)');
    await untilState(page, 'Incomplete');
    console.stream.reset();
    const note = /Incomplete: the connection was cut after [\d,]+ rows\./;
    await openView(page, 'Chart');
    await page.locator('figcaption').getByText(note).waitFor();
    await drawing(page).waitFor();
    expect((await saveAs(page, 'SVG')).toString()).toMatch(note);
    await openView(page, 'Columns');
    await page.getByRole('region', { name: 'Columns of the loaded rows' }).getByText(note).waitFor();
  });

  it('shows hostile names and values as text', async () => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openSignedIn(page, console.url, console.hosts.ann);
    await runStatement(
      page,
      `SELECT '<img src=x onerror=hacked=1>' || range AS "<b>x</b>", range AS "</title><script>hacked=1</script>" FROM range(3)`,
    );
    await untilState(page, 'Complete');
    await openView(page, 'Chart');
    await drawing(page).waitFor();
    await openView(page, 'Columns');
    await page.getByRole('rowheader', { name: /<b>x<\/b>/ }).waitFor();
    expect(await page.evaluate(() => Reflect.get(globalThis, 'hacked'))).toBeUndefined();
    expect(faults).toEqual([]);
  });
});
