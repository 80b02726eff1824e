import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { renderedRows, untilState } from './query-page.ts';
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

describe('the console', () => {
  it.each(['light', 'dark'] as const)('runs a query and shows its rows (%s)', async (theme) => {
    await using guest = await visit(browser, { theme });
    const { page, faults } = guest;
    await openSignedIn(page, console.url, console.hosts.ann);
    await page.getByRole('textbox', { name: 'Statement' }).fill('SELECT range AS n FROM range(3)');
    await page.keyboard.press('Control+Enter');
    await untilState(page, 'Complete');
    expect(await renderedRows(page)).toEqual([['0'], ['1'], ['2']]);
    await takeScreenshot(page, `first-query-${theme}`);
    expect(await findAxeViolations(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
