import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import {
  chooseRows,
  clipboardText,
  renderedColumns,
  renderedRows,
  resultGrid,
  runStatement,
  runStatus,
  untilState,
} from './query-page.ts';
import { openSignedIn } from './sign-in.ts';

let console: ConsoleHosts;
let browser: Browser;
let guest: Visit;
let page: Page;
beforeAll(async () => {
  [console, browser] = await Promise.all([startConsoleHosts(), startBrowser()]);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  guest = await visit(browser);
  page = guest.page;
  await openSignedIn(page, console.url, console.hosts.ann);
});
afterEach(async () => {
  const { faults } = guest;
  await guest[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

/** Runs a statement to its end. */
async function runToEnd(sql: string, state = 'Complete'): Promise<void> {
  await runStatement(page, sql);
  await untilState(page, state);
}

describe('the result grid', () => {
  it('shows every digit, and NULL, the empty string and strings like them apart', async () => {
    await runToEnd(`SELECT 9223372036854775807 AS n, 250.00 AS price, 12345678901234567890123456789012345.678 AS big,
      NULL::VARCHAR AS nothing, '' AS empty, 'NULL' AS word, '""' AS quotes, [1, NULL] AS list`);
    expect(await renderedRows(page)).toEqual([
      [
        '9223372036854775807',
        '250.00',
        '12345678901234567890123456789012345.678',
        'NULL',
        '""',
        'NULL',
        '""',
        '[1,null]',
      ],
    ]);
    const looks = await resultGrid(page).evaluate((grid) =>
      [...grid.querySelectorAll('[role=gridcell]')].map(
        (cell) => getComputedStyle(cell.firstElementChild ?? cell).fontStyle,
      ),
    );
    expect(looks).toEqual(['normal', 'normal', 'normal', 'italic', 'italic', 'normal', 'normal', 'normal']);
    expect(await renderedColumns(page)).toContain('pricedecimal(5,2)');
  });

  it('shows hostile text as text, with a sign for each character that is invisible', async () => {
    await runToEnd(`SELECT '<img src=x onerror="globalThis.hacked=1">' AS "<script>hacked=1</script>",
      'a' || chr(8238) || 'txt.exe' AS "n${'\u202e'}ame", chr(27) || '[31mred' AS ansi, chr(1) || chr(10) AS control`);
    expect(await renderedRows(page)).toEqual([
      ['<img src=x onerror="globalThis.hacked=1">', 'aU+202Etxt.exe', 'ESC[31mred', 'SOH↵'],
    ]);
    expect(await renderedColumns(page)).toContain('nU+202Eamevarchar');
    expect(await page.evaluate(() => Reflect.get(globalThis, 'hacked'))).toBeUndefined();
  });

  it('shows results without rows, with equal names, and with 5,000 columns', async () => {
    await runToEnd('SELECT 1 AS a WHERE false');
    await page.getByText('The statement returned no rows.').waitFor();
    expect(await renderedColumns(page)).toEqual(['ainteger']);
    await runToEnd('SELECT 1 AS a, 2 AS a');
    expect(await renderedColumns(page)).toEqual(['ainteger', 'a_2integer']);
    expect(await renderedRows(page)).toEqual([['1', '2']]);
    const columns = Array.from({ length: 5000 }, (_, index) => `${index} AS c${index}`);
    await runToEnd(`SELECT ${columns.join(', ')}`);
    await expect(resultGrid(page).getAttribute('aria-colcount')).resolves.toBe('5001');
    await resultGrid(page).focus();
    await page.keyboard.press('End');
    expect((await renderedRows(page))[0]?.at(-1)).toBe('4999');
    expect((await renderedRows(page))[0]?.length).toBeLessThan(60);
  });

  it('has the semantics of an ARIA grid, with an unknown number of rows while they arrive', async () => {
    await chooseRows(page, 'All');
    await runStatement(page, 'SELECT range AS n FROM range(1000000000)');
    await untilState(page, 'Streaming');
    await expect(resultGrid(page).getAttribute('aria-rowcount')).resolves.toBe('-1');
    await page.keyboard.press('Escape');
    await untilState(page, 'Cancelled');
    await runToEnd('SELECT range AS n, range * 2 AS m FROM range(5000)');
    await expect(resultGrid(page).getAttribute('aria-rowcount')).resolves.toBe('5001');
    await resultGrid(page).focus();
    await page.keyboard.press('Control+End');
    const active = page.locator(`[id="${await resultGrid(page).getAttribute('aria-activedescendant')}"]`);
    expect(await active.textContent()).toBe('9998');
    expect(await active.getAttribute('aria-colindex')).toBe('3');
    expect(await active.locator('xpath=..').getAttribute('aria-rowindex')).toBe('5001');
  });

  it('sorts, filters and searches the loaded rows by value, and says so', async () => {
    await runToEnd(`SELECT * FROM (VALUES (10.5, 'b'), (9.25, 'Äpfel'), (NULL, 'c'), (-1.0, 'ab')) t(n, s)`);
    const header = page.getByRole('columnheader', { name: 'n decimal' });
    await header.click();
    expect((await renderedRows(page)).map(([n]) => n)).toEqual(['-1.00', '9.25', '10.50', 'NULL']);
    await expect(header.getAttribute('aria-sort')).resolves.toBe('ascending');
    await header.click();
    expect((await renderedRows(page)).map(([n]) => n)).toEqual(['10.50', '9.25', '-1.00', 'NULL']);
    await page.getByText('4 of the 4 loaded rows').waitFor();
    await page.getByRole('searchbox', { name: 'Search the loaded rows' }).fill('B');
    await page.getByText('2 of the 4 loaded rows').waitFor();
    expect((await renderedRows(page)).map(([, s]) => s)).toEqual(['b', 'ab']);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('combobox', { name: 'Condition' }).selectOption('less');
    await page.getByRole('textbox', { name: 'Value' }).fill('2');
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByText('1 of the 4 loaded rows').waitFor();
    expect(await renderedRows(page)).toEqual([['-1.00', 'ab']]);
  });

  it('copies in four formats, with exact digits', async () => {
    await runToEnd(`SELECT 9007199254740993::BIGINT AS n, 'a"b' AS s UNION ALL SELECT NULL, '' ORDER BY 1`);
    await resultGrid(page).focus();
    await page.keyboard.press('Control+a');
    const expected = {
      'Copy as TSV (spreadsheet)': 'n\ts\n9007199254740993\t"a""b"\n\t""\n',
      'Copy as CSV': 'n,s\n9007199254740993,"a""b"\n,""\n',
      'Copy as JSON': '[\n  {"n": 9007199254740993, "s": "a\\"b"},\n  {"n": null, "s": ""}\n]\n',
      'Copy as Markdown': '| n | s |\n| ---: | --- |\n| 9007199254740993 | a"b |\n| *NULL* |  |\n',
    };
    for (const [name, text] of Object.entries(expected)) {
      await page.getByRole('button', { name: 'Copy', exact: true }).click();
      await page.getByRole('menuitem', { name }).click();
      await page.getByText('4 cells copied').waitFor();
      expect(await clipboardText(page)).toBe(text);
      await resultGrid(page).click({ position: { x: 20, y: 10 } });
    }
  });

  it('shows a long and a nested value whole', async () => {
    await runToEnd(`SELECT {'a': 1.50, 'b': [9007199254740993]} AS nested, repeat('x', 250000) || 'end' AS long`);
    await resultGrid(page).focus();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'nested, row 1' });
    await expect(panel.locator('pre').textContent()).resolves.toBe(
      '{\n  "a": 1.50,\n  "b": [\n    9007199254740993\n  ]\n}',
    );
    await page.keyboard.press('ArrowRight');
    await page.getByText('The first 100,000 of 250,003 characters. A copy has all of them.').waitFor();
    await page.getByRole('button', { name: 'Copy value' }).click();
    expect((await clipboardText(page)).slice(-5)).toBe('xxend');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    expect(await page.getByRole('complementary').count()).toBe(0);
  });

  it('selects cells by a drag that begins in them, and by no other', async () => {
    await runToEnd('SELECT range AS n, range * 2 AS m FROM range(50)');
    const box = await resultGrid(page).boundingBox();
    const [left, top] = [box?.x ?? 0, box?.y ?? 0];
    const dragTo = async (x: number, y: number) => {
      await page.mouse.down();
      await page.mouse.move(x, y, { steps: 5 });
      await page.mouse.up();
    };
    const selected = () => resultGrid(page).locator('[role=gridcell][aria-selected=true]').count();
    const header = page.getByRole('columnheader', { name: 'n bigint' });
    const width = async () => (await header.boundingBox())?.width ?? 0;
    const widthBefore = await width();
    const before = await selected();
    const end = await header.boundingBox();
    await page.mouse.move((end?.x ?? 0) + widthBefore - 2, top + 10);
    await dragTo((end?.x ?? 0) + widthBefore + 60, top + 150);
    expect(await width()).toBeGreaterThan(widthBefore + 40);
    await page.mouse.move(left + 200, top - 10);
    await dragTo(left + 200, top + 150);
    expect(await selected()).toBe(before);
    await page.mouse.move(left + 100, top + 60);
    await dragTo(left + 100, top + 150);
    expect(await selected()).toBeGreaterThan(before);
  });

  it('says that the browser did not allow a copy', async () => {
    await runToEnd('SELECT 1 AS n');
    await page.evaluate(() => {
      Reflect.set(navigator.clipboard, 'writeText', () => Promise.reject(new DOMException('no', 'NotAllowedError')));
    });
    await resultGrid(page).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copy value' }).click();
    await page.getByText('The browser did not allow the page to copy.').first().waitFor();
  });

  it('clears the rows immediately when another statement runs', async () => {
    await runToEnd('SELECT range AS old FROM range(100)');
    await runStatement(
      page,
      'SELECT count(*) AS n FROM range(9000) a, range(9000) b WHERE (a.range * b.range) % 7 = 8',
    );
    expect(await page.getByRole('gridcell').count()).toBe(0);
    await untilState(page, 'Complete');
    await expect(runStatus(page).textContent()).resolves.toContain('1 row');
  });
});
