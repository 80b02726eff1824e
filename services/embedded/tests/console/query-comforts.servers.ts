import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type BuiltUser, send, until } from '@sluice/testkit';
import { idtoken, logIn } from '@sluice/testkit/requests';
import type { Browser, Locator, Page } from 'playwright-core';
import { createAccessibilityInspector } from './accessibility-inspector.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { statementEditor as editor, runStatement, untilState } from './query-page.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

let console: ConsoleHosts;
let browser: Browser;
let analyst: BuiltUser;
beforeAll(async () => {
  [console, browser] = await Promise.all([startConsoleHosts(), startBrowser()]);
  analyst = await console.hosts.build.user(console.hosts.acme, { roles: ['analyst', 'auditor'] });
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
});

const inspector = createAccessibilityInspector();
let guest: Visit;
let page: Page;
beforeEach(async () => {
  guest = await visit(browser);
  page = guest.page;
  await openSignedIn(page, console.url, analyst);
});
afterEach(async () => {
  await guest[Symbol.asyncDispose]();
  expect(guest.faults).toEqual([]);
});

const view = (name: string) => page.getByRole('radio', { name });
const drawing = () => page.getByRole('region', { name: /by region/ });
const SALES = `SELECT ['north', 'south'][1 + range % 2] AS region, range AS sales, range % 3 AS returns FROM range(20)`;

/** Returns whether controls are in one line. */
async function areInLine(...controls: readonly Locator[]): Promise<boolean> {
  const boxes = await Promise.all(controls.map((control) => control.boundingBox()));
  const middles = boxes.map((box) => (box === null ? Number.NaN : box.y + box.height / 2));
  return Math.max(...middles) - Math.min(...middles) < 6;
}

describe('the command palette', () => {
  const save = async (name: string, sql: string): Promise<void> => {
    const { id_token: token } = await logIn({ api: console.hosts.api }, analyst);
    const saved = await send(`${console.hosts.api.url}/datamap`, {
      method: 'POST',
      headers: { ...idtoken(token), 'content-type': 'application/json' },
      body: JSON.stringify({ name, sql }),
    });
    expect(saved.status).toBe(201);
  };

  /** The list marks its first item a moment after the last letter, and saved queries come at any time. */
  const moveTo = (item: Locator): Promise<true> =>
    until(
      async () => {
        if ((await item.getAttribute('data-focused')) !== null) return true;
        await page.keyboard.press('ArrowDown');
        return undefined;
      },
      { what: 'the mark on the item' },
    );

  it('finds a saved query by its name and opens it, from any page', async () => {
    await save('Reports/Tides of May', 'SELECT 31 AS tides');
    await save('Other things', 'SELECT 7 AS other');
    for (const path of ['', 'marketplace']) {
      await page.goto(`${console.url}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Command palette' }).getByRole('searchbox').waitFor();
      await page.keyboard.type('tides');
      const found = page.getByRole('menuitem', { name: /Reports\/Tides of May/ });
      await found.waitFor();
      expect(await page.getByRole('menuitem', { name: /Other things/ }).count()).toBe(0);
      if (path === '') expect(await inspector.inspect(page, 'palette-saved-query')).toEqual([]);
      await moveTo(found);
      await page.keyboard.press('Enter');
      await editor(page).getByText('SELECT 31 AS tides').waitFor();
    }
  });
});

describe('a result', () => {
  it('keeps its chart and the chosen columns when its tab or page is left', async () => {
    await runStatement(page, SALES);
    await untilState(page, 'Complete');
    await view('Chart').click();
    await drawing().waitFor();
    await page.getByRole('combobox', { name: 'Vertical axis' }).selectOption({ label: 'returns' });
    await page.getByRole('region', { name: /returns/ }).waitFor();
    await page.getByRole('link', { name: 'Marketplace' }).click();
    await page.getByRole('heading', { name: 'Marketplace' }).waitFor();
    await page.getByRole('link', { name: 'Query' }).click();
    await page.getByRole('region', { name: /returns/ }).waitFor();
    expect(await view('Chart').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'New tab' }).click();
    await page
      .getByRole('tab', { name: /SELECT/ })
      .first()
      .click();
    await page.getByRole('region', { name: /returns/ }).waitFor();
  });

  it('has its tools in one line at 1280 px, beside the history or the downloads', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await runStatement(page, SALES);
    await untilState(page, 'Complete');
    const tools = () => [view('Rows'), page.getByRole('button', { name: 'Download', exact: true }).first()];
    const search = [
      page.getByRole('button', { name: 'Filter' }),
      page.getByRole('button', { name: 'Copy', exact: true }),
    ];
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('complementary', { name: 'History' }).waitFor();
    await takeScreenshot(page, 'query-history-1280');
    expect([await areInLine(...tools()), await areInLine(...search)]).toEqual([true, true]);
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Downloads' }).click();
    await takeScreenshot(page, 'query-downloads-1280');
    expect([await areInLine(...tools()), await areInLine(...search)]).toEqual([true, true]);
  });

  it('has the fields of its chart beside their labels, and the buttons of its files beside each other', async () => {
    await runStatement(page, SALES);
    await untilState(page, 'Complete');
    await view('Chart').click();
    await drawing().waitFor();
    for (const width of [1280, 900, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const [svg, png] = [page.getByRole('button', { name: 'SVG' }), page.getByRole('button', { name: 'PNG' })];
      const series = page.getByRole('combobox', { name: 'Series' });
      expect([width, await areInLine(svg, png)]).toEqual([width, true]);
      expect([width, await areInLine(page.getByText('Series', { exact: true }), series)]).toEqual([width, true]);
      await takeScreenshot(page, `chart-tools-${width}`);
    }
  });
});

it('the history shows a statement and the message of an error in one line each, without signs for their line ends', async () => {
  await runStatement(page, 'SELECT nothing_like_it\nFROM range(3)');
  await untilState(page, 'Failed');
  await page.getByRole('button', { name: 'History' }).click();
  const history = page.getByRole('complementary', { name: 'History' });
  const error = history
    .getByRole('listitem')
    .first()
    .getByText(/nothing_like_it.*not found/)
    .last();
  await error.waitFor();
  expect(await error.textContent()).not.toContain('↵');
  const statement = history.getByRole('listitem').first().getByText('SELECT nothing_like_it FROM range(3)');
  expect(await statement.count()).toBe(1);
  expect(await statement.textContent()).toBe('SELECT nothing_like_it FROM range(3)');
  await takeScreenshot(page, 'history-lines');
});

it('the beginnings below an empty editor scroll without it', async () => {
  await page.setViewportSize({ width: 1000, height: 500 });
  for (let index = 0; index < 4; index += 1) {
    await runStatement(page, `SELECT ${index} AS n`);
    await untilState(page, 'Complete');
  }
  await page.getByRole('button', { name: 'New tab' }).click();
  const start = page.getByRole('region', { name: 'Where to start' });
  await start.getByRole('list').first().waitFor();
  await until(async () => (await start.evaluate((part) => part.scrollHeight > part.clientHeight)) || undefined, {
    what: 'more beginnings than fit',
  });
  const before = await editor(page).boundingBox();
  await start.hover();
  await page.mouse.wheel(0, 300);
  await until(async () => (await start.evaluate((part) => part.scrollTop > 0)) || undefined, { what: 'the scroll' });
  expect(await editor(page).boundingBox()).toEqual(before);
  await takeScreenshot(page, 'start-page-scrolled');
});

it('the audit log, the history and closed tabs have pictures of their own', async () => {
  await runStatement(page, SALES);
  const picture = (control: Locator) => control.locator('svg path').first().getAttribute('d');
  const audit = await picture(page.getByRole('link', { name: 'Audit log' }));
  const history = await picture(page.getByRole('button', { name: 'History' }));
  const reopen = await picture(page.getByRole('button', { name: 'Reopen' }));
  expect(new Set([audit, history, reopen]).size).toBe(3);
});
