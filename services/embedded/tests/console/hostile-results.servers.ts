import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startBrowser, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { findTraces, NO_TRACES, PAYLOADS } from './hostile-payloads.ts';
import {
  chooseRows,
  clipboardText,
  renderedRows,
  resultGrid,
  runStatement,
  runStatus,
  untilState,
} from './query-page.ts';
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

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const identifier = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Waits for the end of a large result. */
const untilEnd = (page: Page) =>
  runStatus(page).getByRole('strong').getByText('Complete', { exact: true }).waitFor({ timeout: 110_000 });

describe('hostile text', () => {
  it(`is text everywhere: ${PAYLOADS.length} payloads`, async () => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openSignedIn(page, console.url, console.hosts.ann);
    const places: Record<string, () => Promise<void>> = {
      cells: async () => {
        const rows = PAYLOADS.map((text, index) => `(${index}, ${literal(text)})`);
        await runStatement(page, `SELECT * FROM (VALUES ${rows.join(', ')}) t(i, text) ORDER BY i`);
        await untilState(page, 'Complete');
        await resultGrid(page).focus();
        for (let shown = 0; shown < PAYLOADS.length; shown += 10) {
          const first = (await renderedRows(page))[0]?.[1] ?? '';
          expect(first).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
          await page.keyboard.press('PageDown');
        }
      },
      panel: async () => {
        await page.keyboard.press('Control+Home');
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('Enter');
        for (const _payload of PAYLOADS) await page.keyboard.press('ArrowDown');
      },
      'column names, filters and chips': async () => {
        const names = PAYLOADS.filter((text) => text.trim() !== '' && text.length < 1000);
        await runStatement(
          page,
          `SELECT ${names.map((name, index) => `${index} AS ${identifier(`${index} ${name}`)}`).join(', ')}`,
        );
        await untilState(page, 'Complete');
        await page.getByRole('button', { name: 'Filter', exact: true }).click();
        await page.getByRole('textbox', { name: 'Value' }).fill(PAYLOADS[1] ?? '');
        await page.getByRole('button', { name: 'Add filter' }).click();
        await page.getByText('0 of the 1 loaded row').waitFor();
      },
      'charts and summaries': async () => {
        const rows = PAYLOADS.map((text, index) => `(${index}, ${literal(text)})`);
        await runStatement(
          page,
          `SELECT text AS ${identifier(PAYLOADS[0] ?? '')}, i FROM (VALUES ${rows.join(', ')}) t(i, text)`,
        );
        await untilState(page, 'Complete');
        await page.getByRole('radio', { name: 'Chart' }).click();
        await page.locator('.chart__drawing svg').waitFor();
        await page.getByRole('radio', { name: 'Columns' }).click();
        await page.getByRole('table').waitFor();
        await page.getByRole('radio', { name: 'Rows' }).click();
      },
      'the tab of the editor': async () => {
        await runStatement(page, "SELECT '\u202egnp.exe' AS n");
        const tab = page.locator('.editor-tabs__tab[aria-selected="true"]').filter({ hasText: 'U+202Egnp.exe' });
        await tab.waitFor();
        expect(await tab.getAttribute('title')).toContain('U+202Egnp.exe');
        await untilState(page, 'Complete');
      },
      errors: async () => {
        for (const text of PAYLOADS.filter((each) => each.length < 1000 && each.trim() !== '').slice(0, 20)) {
          await runStatement(page, `SELECT error(${literal(text)})`);
          await untilState(page, 'Failed');
        }
      },
    };
    for (const [name, show] of Object.entries(places)) {
      await show();
      expect([name, await findTraces(page)]).toEqual([name, NO_TRACES]);
    }
    expect(faults).toEqual([]);
    process.stdout.write(`hostile text: ${PAYLOADS.length} payloads in ${Object.keys(places).join('; ')}\n`);
  });

  it('of 100 MB is shown at its beginning', async () => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openSignedIn(page, console.url, console.hosts.ann);
    await runStatement(page, `SELECT 1 AS n, repeat('x', 100000000) AS huge`);
    await untilEnd(page);
    await resultGrid(page).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByText('The first 100,000 of 100,000,000 characters. A copy has all of them.').waitFor();
    expect((await renderedRows(page))[0]?.[1]).toBe(`${'x'.repeat(200)}…`);
    expect(faults).toEqual([]);
  });
});

describe('a result larger than the memory of a tab', () => {
  it('keeps its first rows, counts all of them, and says so', async () => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openSignedIn(page, console.url, console.hosts.ann);
    await chooseRows(page, 'All');
    await runStatement(page, `SELECT range AS n, repeat('x', 60000) AS wide FROM range(5000)`);
    await untilEnd(page);
    await expect(runStatus(page).textContent()).resolves.toContain('5,000 rows');
    await runStatus(page)
      .getByText(/^Kept the first 4,\d\d\d rows; the download has all$/)
      .waitFor();
    await resultGrid(page).focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+c');
    await page.getByText('2 cells copied').waitFor();
    expect(await clipboardText(page)).toMatch(
      /^n\n0\n1\n# Incomplete: only the first 4,\d\d\d of 5,000 rows were kept in memory\.\n$/,
    );
    expect(faults).toEqual([]);
  });
});
