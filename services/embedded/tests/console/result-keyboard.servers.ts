import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import {
  chooseRows,
  clipboardText,
  renderedRows,
  resultGrid,
  runStatement,
  runStatus,
  untilState,
} from './query-page.ts';
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

const ROWS = 'SELECT range AS n, 100 - range AS m FROM range(100)';

/** Presses Tab until an element has the focus. The focus is never lost on the way. */
async function tabTo(page: Page, role: string, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const target = page.getByRole(role as 'grid', { name, exact: true });
  for (let presses = 0; presses < 40; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement).catch(() => false)) return;
    await page.keyboard.press(key);
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
  }
  throw new Error(`Tab does not reach the ${role} ${name}.`);
}

const activeText = async (page: Page): Promise<string | null> => {
  const id = await resultGrid(page).getAttribute('aria-activedescendant');
  return await page.locator(`[id="${id}"]`).textContent();
};

describe('a result without a mouse', () => {
  it('is run, read, sorted, filtered, copied, looked at and drawn', async () => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openSignedIn(page, console.url, console.hosts.ann);
    await tabTo(page, 'textbox', 'Statement. Press Escape, then Tab to leave the editor.');
    await page.keyboard.insertText(ROWS);
    await page.keyboard.press('Control+Enter');
    await untilState(page, 'Complete');

    await page.keyboard.press('Escape');
    await tabTo(page, 'grid', 'Rows of the result');
    const keys = [
      ['ArrowDown', '1'],
      ['ArrowRight', '99'],
      ['Control+End', '1'],
      ['Home', '99'],
      ['Control+Home', '0'],
      ['End', '100'],
      ['ArrowUp', 'mbigint'],
    ] as const;
    for (const [key, text] of keys) {
      await page.keyboard.press(key);
      expect([key, await activeText(page)]).toEqual([key, text]);
    }
    await page.keyboard.press('Enter');
    await page.getByText('Loaded rows by m, ascending').waitFor();
    expect((await renderedRows(page))[0]).toEqual(['99', '1']);

    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+c');
    await page.getByText('2 cells copied').waitFor();
    expect(await clipboardText(page)).toBe('m\n1\n2\n');

    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'm, row 99' }).waitFor();
    await tabTo(page, 'button', 'Close');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('complementary').count()).toBe(0);

    // The button is gone, so the grid has the focus again.
    await expect(resultGrid(page).evaluate((grid) => grid === document.activeElement)).resolves.toBe(true);
    await tabTo(page, 'radio', 'Rows', 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await page.getByRole('region', { name: 'Columns of the loaded rows' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('closes the value and leaves the search with Escape, and cancels only with the next one', async () => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openSignedIn(page, console.url, console.hosts.ann);
    await chooseRows(page, 'All');
    await runStatement(page, 'SELECT range AS n FROM range(1000000000)');
    await untilState(page, 'Streaming');
    await resultGrid(page).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'n, row 1' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'n, row 1' }).waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search the loaded rows' }).focus();
    await page.keyboard.press('Escape');
    expect(await resultGrid(page).evaluate((grid) => grid === document.activeElement)).toBe(true);
    expect(await runStatus(page).textContent()).toContain('Streaming');
    await page.keyboard.press('Escape');
    await untilState(page, 'Cancelled');
    expect(faults).toEqual([]);
  });

  it('leaves the grid with one press of Tab, and Escape cancels from anywhere', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    await openSignedIn(page, console.url, console.hosts.ann);
    await chooseRows(page, 'All');
    await runStatement(page, 'SELECT range AS n FROM range(1000000000)');
    await page
      .getByText(/rows so far/)
      .first()
      .waitFor();
    // Escape would cancel the run. This key of the editor makes Tab leave it too.
    await page.keyboard.press('Control+m');
    await tabTo(page, 'grid', 'Rows of the result');
    await page.keyboard.press('Shift+Tab');
    await expect(resultGrid(page).evaluate((grid) => grid === document.activeElement)).resolves.toBe(false);
    await page.keyboard.press('Escape');
    await untilState(page, 'Cancelled');
  });
});

describe('a result on a phone', () => {
  it.each(['light', 'dark'] as const)('fits its width, and shows a value over all of it (%s)', async (theme) => {
    await using guest = await visit(browser, { theme, isPhone: true });
    const { page, faults } = guest;
    await openSignedIn(page, console.url, console.hosts.ann);
    await runStatement(page, ROWS);
    await untilState(page, 'Complete');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    const grid = await resultGrid(page).boundingBox();
    const status = await runStatus(page).boundingBox();
    expect(grid?.height).toBeGreaterThan(150);
    expect((grid?.y ?? 0) + (grid?.height ?? 0)).toBeLessThanOrEqual((status?.y ?? 0) + 1);
    await takeScreenshot(page, `result-phone-${theme}`);
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole('gridcell', { name: '100', exact: true }).tap();
    expect(await activeText(page)).toBe('100');
    await resultGrid(page).press('Enter');
    const panel = await page.getByRole('complementary').boundingBox();
    expect(panel?.width).toBe(390);
    expect(await findAxeViolations(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
