import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@sluice/testkit';
import { basicOf, finalReceipt, listOf, untilRunning } from '@sluice/testkit/requests';
import { ENDLESS, FAILING_ROW, FAILS_LATE, LONG, MISSPELT } from '@sluice/testkit/statements';
import type { Browser, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import {
  chooseRows,
  clipboardText,
  renderedRows,
  resultGrid,
  runStatement,
  runStatus,
  untilState,
  writeStatement,
} from './query-page.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn, untilPageShown } from './sign-in.ts';

let console: ConsoleHosts;
let browser: Browser;
beforeAll(async () => {
  [console, browser] = await Promise.all([startConsoleHosts({ QUERIES_PER_USER: '1' }), startBrowser()]);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
});
afterEach(() => console.stream.reset());

const ann = () => basicOf(console.hosts.ann);

/** Waits until the host runs no query of the user. */
const untilIdle = () =>
  until(async () => (await listOf(console.hosts.url, ann())).length === 0 || undefined, {
    what: 'the end of all queries',
    withinMs: 10_000,
  });

/** Asserts in the dark theme that a state of the run has no violation of axe, and takes a picture of it. `accessibility` has both themes. */
async function inspect(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await takeScreenshot(page, `run-${name}-dark`);
  expect(await findAxeViolations(page)).toEqual([]);
}

/** Returns the row limit of each run of a statement, in their order, as the audit log has it. Null: all rows. */
async function sizesOf(sql: string): Promise<readonly (number | null)[]> {
  const rows = await console.hosts.rows<{ size: number | null }>(
    `select metadata->'size' as size from audit_log where action = 'RUN_QUERY' and metadata->>'sql' = $1 order by occurred`,
    [sql],
  );
  return rows.map(({ size }) => size);
}

/** Returns the row limits of the open tabs as the browser has stored them, in their order. */
const storedRowLimits = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const opened = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('sluice-drafts');
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const request = opened.transaction('drafts').objectStore('drafts').getAll();
    await new Promise((resolve) => {
      request.onsuccess = resolve;
    });
    opened.close();
    const drafts = request.result as readonly { readonly order: number; readonly rowLimit?: number | null }[];
    return JSON.stringify([...drafts].sort((a, b) => a.order - b.order).map(({ rowLimit }) => rowLimit));
  });

describe('the states of a run', () => {
  let guest: Visit;
  let page: Page;
  beforeEach(async () => {
    guest = await visit(browser);
    page = guest.page;
    await openSignedIn(page, console.url, console.hosts.ann);
  });
  afterEach(async () => {
    const { faults } = guest;
    await guest[Symbol.asyncDispose]();
    expect(faults).toEqual([]);
    await untilIdle();
  });

  it('that the page left says how it ended, and runs again', async () => {
    await runStatement(page, ENDLESS);
    await runStatus(page).getByText('Running').waitFor();
    await page.reload();
    await page
      .getByText(/The page was left while this statement ran\. It began at .* and ended at .*: Cancelled/)
      .waitFor();
    await inspect(page, 'left');
    await untilIdle();
    await page.getByRole('button', { name: 'Run again' }).click();
    await runStatus(page).getByText('Running').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await untilState(page, 'Cancelled');
    await page.reload();
    await page.getByRole('textbox', { name: 'Statement' }).waitFor();
    expect(await page.getByText('The page was left').count()).toBe(0);
  });

  it('of a statement that was changed is marked as that of an earlier one', async () => {
    await runStatement(page, 'SELECT 1 AS one');
    await untilState(page, 'Complete');
    expect(await page.getByText('Of an earlier statement').count()).toBe(0);
    await writeStatement(page, 'SELECT 2 AS two');
    await page.getByText('Of an earlier statement').waitFor();
  });

  it('is not called complete after the user has run a comment', async () => {
    await runStatement(page, 'SELECT 1 AS one');
    await untilState(page, 'Complete');
    await writeStatement(page, 'SELECT 1 AS one;\n-- nothing');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+End');
    await page.keyboard.press('Control+Enter');
    await page.getByText('There is no statement to run here.').waitFor();
    await page.getByText('Of an earlier statement').waitFor();
    expect(await runStatus(page).getByRole('strong').count()).toBe(0);
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Control+Enter');
    await untilState(page, 'Complete');
    expect(await page.getByText('Of an earlier statement').count()).toBe(0);
  });

  it('waits for a slot, plans, and reports that the engine has stopped', async () => {
    // The host sends the columns soon after the headers, so without a pause the state lasts a moment only.
    console.stream.damage('/query', { kind: 'pause', afterBytes: 0, pauseMs: 60_000 });
    await runStatement(page, ENDLESS);
    await untilState(page, 'Planning');
    console.stream.reset();
    await inspect(page, 'planning');
    const other = await guest.openTab();
    await other.goto(console.url);
    await runStatement(other, 'SELECT 1 AS n');
    await untilState(other, 'Waiting for a slot');
    await inspect(other, 'queued');
    await page.keyboard.press('Escape');
    await untilState(page, 'Cancelled');
    await untilState(other, 'Complete');
    await other.close();
  });

  it('cancels a stream: the rows stay, and the engine no longer runs it', async () => {
    await chooseRows(page, 'All');
    await runStatement(page, LONG);
    const { query_id: id } = await untilRunning(console.hosts.url, ann());
    await page
      .getByText(/rows so far/)
      .first()
      .waitFor();
    await inspect(page, 'streaming');
    await page.keyboard.press('Escape');
    await untilState(page, 'Cancelled');
    // The page says so only after the host does.
    const receipt = await finalReceipt(console.hosts.url, id, { credential: ann(), withinMs: 1 });
    expect(receipt.state).toBe('CANCELLED');
    expect((await renderedRows(page)).length).toBeGreaterThan(10);
    await inspect(page, 'cancelled');
  });

  it('shows a failure after rows with its message, and says so in copied text', async () => {
    await chooseRows(page, 'All');
    await runStatement(page, FAILS_LATE);
    await untilState(page, 'Failed');
    await page.getByRole('alert').getByText(`boom at ${FAILING_ROW}`).waitFor();
    await inspect(page, 'failed');
    await resultGrid(page).focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+c');
    await page.getByText('2 cells copied').waitFor();
    expect(await clipboardText(page)).toMatch(/^n\n0\n1\n# Incomplete: the statement failed after [\d,]+ rows\.\n$/);
  });

  it('says that there are more rows than the limit of the user', async () => {
    await chooseRows(page, 'First 100');
    await runStatement(page, 'SELECT range AS n FROM range(101)');
    await untilState(page, 'Limited');
    await runStatus(page).getByText('First 100 rows.', { exact: true }).waitFor();
    await inspect(page, 'limited');
    await resultGrid(page).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await page.getByText('100 cells copied, of the first 100 rows').waitFor();
    expect(await clipboardText(page)).toMatch(
      /\n99\n# Limited: the statement returns more rows than the first 100\.\n$/,
    );
    await runStatement(page, 'SELECT range AS n FROM range(100)');
    await untilState(page, 'Complete');
    await inspect(page, 'complete');
  });

  it('asks for 1,000 rows, says so wherever a part could be taken for the whole, and loads all when asked', async () => {
    const sql = 'SELECT range AS n, range % 7 AS m FROM range(1001)';
    const sizes = () => sizesOf(sql);
    await runStatement(page, sql);
    await untilState(page, 'Limited');
    await runStatus(page).getByText('First 1,000 rows.', { exact: true }).waitFor();
    expect(await sizes()).toEqual([1000]);
    const search = page.getByRole('searchbox', { name: 'Search the first 1,000 rows' });
    await search.fill('1000');
    await page.getByText('0 of the first 1,000 rows').waitFor();
    await page.getByText('None of the first 1,000 rows matches. The statement returns more.').waitFor();
    await search.press('Escape');
    await page.getByRole('radio', { name: 'Chart' }).click();
    await page.locator('figcaption').getByText('of the first 1,000 rows').waitFor();
    await page.getByRole('radio', { name: 'Columns' }).click();
    await page.getByRole('region', { name: 'Columns' }).getByText('of the first 1,000 rows').waitFor();
    await page.getByRole('radio', { name: 'Rows' }).click();
    // What the editor has by then is not what is loaded.
    await writeStatement(page, 'SELECT 1 AS other');
    const loadAll = runStatus(page).getByRole('button', { name: 'Load all' });
    await loadAll.focus();
    await page.keyboard.press('Enter');
    await page.getByText('The statement runs again for all its rows.').waitFor();
    await untilState(page, 'Complete');
    expect(await runStatus(page).textContent()).toContain('1,001 rows');
    expect(await loadAll.count()).toBe(0);
    expect(await runStatus(page).evaluate((line) => line === document.activeElement)).toBe(true);
    expect(await sizes()).toEqual([1000, null]);
  });

  it('keeps the row limit of each tab, also after a reload', async () => {
    const rows = () => page.getByRole('combobox', { name: 'Rows' }).locator('option:checked').textContent();
    await writeStatement(page, 'SELECT 1 AS first');
    await chooseRows(page, 'All');
    await page.getByRole('button', { name: 'New tab' }).click();
    expect(await rows()).toBe('First 1,000');
    await writeStatement(page, 'SELECT 2 AS second');
    await chooseRows(page, 'First 10,000');
    await until(async () => (await storedRowLimits(page)) === '[null,10000]' || undefined, {
      what: 'the stored limits',
    });
    await page.reload();
    await untilPageShown(page);
    await page.getByRole('tab', { name: 'SELECT 2 AS second' }).click();
    expect(await rows()).toBe('First 10,000');
    await page.getByRole('tab', { name: 'SELECT 1 AS first' }).click();
    expect(await rows()).toBe('All');
  });

  it('shows where a statement is wrong', async () => {
    await runStatement(page, MISSPELT.sql);
    await untilState(page, 'Failed');
    const { column } = MISSPELT;
    await page.getByRole('alert').getByText(`Line 1, column ${column}`).waitFor();
    await inspect(page, 'rejected');
  });

  it('never takes a stream that was cut for a complete one', async () => {
    await chooseRows(page, 'All');
    for (const kind of ['cut', 'end'] as const) {
      // The browser drops what it has not read yet when a connection is cut.
      console.stream.damage('/query', { kind, afterBytes: 5_000_000 });
      await runStatement(page, 'SELECT range AS n FROM range(1000000)');
      await untilState(page, 'Incomplete');
      expect((await renderedRows(page)).length).toBeGreaterThan(10);
      await inspect(page, `${kind}`);
      await untilIdle();
    }
    await resultGrid(page).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await page.getByText(/cells copied/).waitFor();
    expect((await clipboardText(page)).split('\n').at(-2)).toMatch(
      /^# Incomplete: the connection was cut after [\d,]+ rows\.$/,
    );
  });
});

describe('a run with a faulty connection', () => {
  let guest: Visit;
  let page: Page;
  beforeEach(async () => {
    guest = await visit(browser);
    page = guest.page;
    await openSignedIn(page, console.url, console.hosts.ann);
    await chooseRows(page, 'All');
    // The first page asks for recent queries, and must not get the replies that are meant for a run.
    await page.waitForLoadState('networkidle');
  });
  afterEach(async () => {
    await guest[Symbol.asyncDispose]();
    await untilIdle();
  });

  /** The empty tab reads the history below /query, whose response would be replaced too. */
  const untilStartShown = (): Promise<void> => page.waitForLoadState('networkidle');

  it('is cancelled on the engine while its stream is stalled', async () => {
    console.stream.damage('/query', { kind: 'stall', afterBytes: 300_000 });
    await runStatement(page, LONG);
    await page
      .getByText(/rows so far/)
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    await untilState(page, 'Cancelled');
    expect(await listOf(console.hosts.url, ann())).toEqual([]);
  });

  it.each([
    [429, { 'retry-after': '120' }, 'Try again in 120 seconds.'],
    [503, { 'retry-after': '90' }, 'Try again in 90 seconds.'],
  ])('shows a %i with the time to wait, and keeps the statement', async (status, headers, text) => {
    const body = JSON.stringify({ error: 'x', message: 'The host is busy.', code: 'too_many_requests' });
    const cors = {
      'access-control-allow-origin': new URL(console.url).origin,
      'access-control-expose-headers': 'Retry-After',
    };
    await untilStartShown();
    console.stream.reply('/query', {
      status,
      headers: { ...headers, ...cors, 'content-type': 'application/json' },
      body,
    });
    await runStatement(page, 'SELECT 1 AS n');
    await untilState(page, 'Failed');
    await page.getByRole('alert').getByText(text).waitFor();
    await expect(page.getByRole('textbox', { name: 'Statement' }).textContent()).resolves.toBe('SELECT 1 AS n');
  });

  it('fails without a second run when the session has ended, and keeps the statement', async () => {
    const cors = { 'access-control-allow-origin': new URL(console.url).origin };
    const body = JSON.stringify({ error: 'x', message: 'The token is not valid.', code: 'unauthorized' });
    const rejected = { status: 401, headers: { ...cors, 'content-type': 'application/json' }, body };
    await untilStartShown();
    console.stream.reply('/query', rejected, rejected);
    await runStatement(page, 'SELECT 1 AS n');
    await untilState(page, 'Failed');
    await expect(page.getByRole('textbox', { name: 'Statement' }).textContent()).resolves.toBe('SELECT 1 AS n');
    expect(await listOf(console.hosts.url, ann())).toEqual([]);
  });

  it('is stopped on the engine, and leaves the screen, when the user signs out in another tab while rows arrive', async () => {
    await runStatement(page, LONG);
    await page
      .getByText(/rows so far/)
      .first()
      .waitFor();
    const other = await guest.openTab();
    await other.goto(console.url);
    await other.getByRole('button', { name: /^Account of/ }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('alertdialog', { name: 'You are signed out' }).waitFor();
    expect(await resultGrid(page).count()).toBe(0);
    await untilIdle();
  });

  it('goes on while the user is on another page, and is stopped on the engine when its editor tab is closed', async () => {
    await runStatement(page, LONG);
    await untilState(page, 'Streaming');
    // A link within the console does the same.
    await page.evaluate(() => {
      history.pushState(null, '', '/console/elsewhere');
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(await listOf(console.hosts.url, ann())).toHaveLength(1);
    await page.goBack();
    await untilState(page, 'Streaming');
    expect((await renderedRows(page)).length).toBeGreaterThan(10);
    await page.getByRole('button', { name: 'Close tab' }).click();
    await untilIdle();
  });

  it('is stopped on the engine when its tab is closed', async () => {
    await runStatement(page, LONG);
    await untilRunning(console.hosts.url, ann());
    await page.close();
    await untilIdle();
  });

  it('reads every row in a hidden tab, which has no frames', async () => {
    await runStatement(page, 'SELECT range AS n FROM range(300000)');
    // Headless Chromium shows all tabs. This makes one look hidden to its scripts.
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
      globalThis.requestAnimationFrame = () => 0;
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await untilState(page, 'Complete');
    await expect(runStatus(page).textContent()).resolves.toContain('300,000 rows');
  });
});
