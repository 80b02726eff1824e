import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type BuiltUser, until } from '@sluice/testkit';
import { ENDLESS } from '@sluice/testkit/statements';
import type { Page } from 'playwright-core';
import { createAdminApi } from './administration-page.ts';
import { findAxeViolations } from './axe.ts';
import { type Visit, visit } from './console-browser.ts';
import { chooseInDialog, openDownloadMenu, startDownload, untilDownload } from './downloads-page.ts';
import { type KeptResultsFixture, startKeptResultsFixture } from './kept-results-fixture.ts';
import { findPhoneFaults } from './phone-layout.ts';
import {
  chooseRows,
  clipboardText,
  renderedRows,
  resultGrid,
  runStatement,
  runStatus,
  statementEditor,
  untilState,
} from './query-page.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn, untilPageShown } from './sign-in.ts';

// A page is loaded several times in most tests.
jest.setTimeout(300_000);

let fixture: KeptResultsFixture;
let guest: Visit;
let page: Page;
let user: BuiltUser;
beforeAll(async () => {
  fixture = await startKeptResultsFixture();
}, 180_000);
afterAll(async () => {
  await fixture?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  const { hosts } = fixture.console;
  user = await hosts.build.user(hosts.acme);
  guest = await visit(fixture.browser);
  page = guest.page;
  await openSignedIn(page, fixture.console.url, user);
});
afterEach(async () => {
  fixture.console.stream.reset();
  const { faults } = guest;
  await guest[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

const runs = (): Promise<number> => fixture.countRecords('RUN_QUERY', user.email);

/** Runs a statement to its end, and waits until its result is kept and the tab has noted it. */
async function runKept(sql: string, at = page): Promise<void> {
  await runStatement(at, sql);
  await untilState(at, 'Complete');
  await runStatus(at)
    .getByText(/^Kept until \d\d?/)
    .waitFor();
}

/** Loads the page again, and waits for the result that it shows without a run. */
async function reload(at = page): Promise<void> {
  await at.reload();
  await untilPageShown(at);
  await runStatus(at)
    .getByText(/^Result of .+, kept until /)
    .waitFor();
}

/** Ends the time of all kept results. */
const expireAll = (): Promise<unknown> =>
  fixture.console.hosts.rows("update kept_results set expires = clock_timestamp() - interval '1 minute'");

const shownRow = (at: Page, row: number) => resultGrid(at).locator(`[role=row][aria-rowindex="${row + 2}"]`);

const LARGE = 'SELECT 9007199254740993 + range AS n, range AS i FROM range(50000) ORDER BY range';

describe('a kept result', () => {
  it('is shown again after a reload, without a run, and runs again when asked', async () => {
    await runKept("SELECT 9223372036854775807 AS n, 250.00 AS price, NULL AS nothing, '' AS empty");
    await takeScreenshot(page, 'kept-result-run');
    const rows = await renderedRows(page);
    await reload();
    expect(await renderedRows(page)).toEqual(rows);
    expect(await runs()).toBe(1);
    await takeScreenshot(page, 'kept-result');
    expect(await findAxeViolations(page)).toEqual([]);
    await runStatus(page).getByRole('button', { name: 'Run again' }).click();
    await untilState(page, 'Complete');
    expect(await runs()).toBe(2);
    expect(await renderedRows(page)).toEqual(rows);
  });

  it('keeps the row limit of its run, and says that there are more rows', async () => {
    await runStatement(page, 'SELECT range AS n FROM range(5000)');
    await untilState(page, 'Limited');
    await runStatus(page)
      .getByText(/^Kept until/)
      .waitFor();
    await reload();
    await runStatus(page).getByText('First 1,000 rows, more exist').waitFor();
    await openDownloadMenu(page);
    await page.getByText('Runs the statement under the cursor, or the selection, and saves all its rows.').waitFor();
    await page.getByRole('menuitem', { name: 'Only the first 1,000 rows, as they are kept' }).click();
    await page.getByRole('dialog', { name: 'Download' }).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
  });

  it('is found in the history on another device', async () => {
    await runKept("SELECT 'from the first device' AS text, 7 AS n");
    await using other = await visit(fixture.browser, { isPhone: true });
    await openSignedIn(other.page, fixture.console.url, user);
    await other.page.getByRole('button', { name: 'History' }).click();
    await other.page.getByText(/^Kept until/).waitFor();
    await takeScreenshot(other.page, 'kept-result-history-phone');
    expect(await findAxeViolations(other.page)).toEqual([]);
    await other.page.getByRole('button', { name: 'Show result' }).click();
    await other.page.getByRole('button', { name: 'Close', exact: true }).first().click();
    await runStatus(other.page)
      .getByText(/^Result of .+, kept until /)
      .waitFor();
    expect(await renderedRows(other.page)).toEqual([['from the first device', '7']]);
    await expect(statementEditor(other.page).textContent()).resolves.toContain('from the first device');
    await takeScreenshot(other.page, 'kept-result-phone');
    expect(await findPhoneFaults(other.page)).toEqual({ sideways: [], targets: [], words: [], rows: [] });
    expect(other.faults).toEqual([]);
    expect(await runs()).toBe(1);
  });

  it('says that it has expired, and offers a run', async () => {
    await runKept('SELECT 1 AS one');
    await expireAll();
    await page.reload();
    await page.getByText('The result is no longer kept').waitFor();
    await takeScreenshot(page, 'kept-result-missing');
    expect(await findAxeViolations(page)).toEqual([]);
    // The time at which it ends has passed by the clock of this browser too.
    await page.clock.setSystemTime(Date.now() + 72 * 3_600_000);
    await page.reload();
    await page.getByText('The result has expired').waitFor();
    await page.getByText(/^It was kept until .+\. Run the statement again to see its rows\.$/).waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Run', exact: true }).last().click();
    await untilState(page, 'Complete');
    expect(await runs()).toBe(2);
  });

  it('is downloaded without a second run', async () => {
    await runKept("SELECT 12345678901234567890 AS big, 'a;b' AS text");
    await reload();
    await openDownloadMenu(page);
    await page.getByText('The row of the kept result. The statement does not run again.').waitFor();
    await page.keyboard.press('Escape');
    const [parquet] = await Promise.all([page.waitForEvent('download'), startDownload(page, 'Parquet')]);
    await untilDownload(page, 'With your browser');
    expect((await readFile(await parquet.path())).subarray(0, 4).toString()).toBe('PAR1');
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      chooseInDialog(page, async (dialog) => {
        expect(await dialog.getByLabel('Time zone').count()).toBe(0);
        await dialog.getByText('Large numbers as strings').click();
      }),
    ]);
    await untilDownload(page, 'With your browser');
    expect(await readFile(await csv.path(), 'utf8')).toBe('big,text\n12345678901234567890,a;b\n');
    expect(await runs()).toBe(1);
    expect(await fixture.countRecords('DOWNLOAD_QUERY', user.email)).toBe(0);
  });
});

describe('the rows of a kept result that are not in memory', () => {
  const loadLarge = async (): Promise<void> => {
    await chooseRows(page, 'All');
    await runKept(LARGE);
    await reload();
    await runStatus(page).getByText('First 10,000 rows in memory').waitFor();
  };

  it('are read when they are shown, with all digits', async () => {
    await loadLarge();
    const read: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/rows?')) read.push(new URL(request.url()).search);
    });
    await expect(resultGrid(page).getAttribute('aria-rowcount')).resolves.toBe('50001');
    await resultGrid(page).focus();
    await page.keyboard.press('Control+End');
    await shownRow(page, 49_999).getByText('9007199254790992', { exact: true }).waitFor();
    await page.keyboard.press('PageUp');
    await page.keyboard.press('PageUp');
    await until(async () => ((await page.locator('.grid-pending').count()) === 0 ? true : undefined), {
      what: 'the rows',
    });
    const last = (await renderedRows(page)).at(-1);
    expect(BigInt(last?.[0] ?? 0) - BigInt(last?.[1] ?? 0)).toBe(9_007_199_254_740_993n);
    await page.getByRole('textbox', { name: 'Row number' }).fill('30001');
    await page.getByRole('button', { name: 'Go to row' }).click();
    await shownRow(page, 30_000).getByText('9007199254770993', { exact: true }).waitFor();
    await takeScreenshot(page, 'kept-result-pages');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('complementary', { name: 'n, row 30,001' }).locator('pre').textContent()).resolves.toBe(
      '9007199254770993',
    );
    await page.keyboard.press('Escape');
    expect(read.length).toBeLessThanOrEqual(4);
    await page.keyboard.press('Control+Home');
    await shownRow(page, 0).getByText('9007199254740993', { exact: true }).waitFor();
    expect(await runs()).toBe(1);
  });

  it('are not searched and sorted, and the page says so', async () => {
    await loadLarge();
    const header = page.getByRole('columnheader', { name: 'i bigint' });
    await header.click();
    await page
      .getByText('10,000 of the 10,000 loaded rows. The result has 50,000: use ORDER BY and WHERE for all of them.')
      .waitFor();
    await header.click();
    await shownRow(page, 0).getByText('9007199254750992', { exact: true }).waitFor();
    expect((await renderedRows(page))[0]).toEqual(['9007199254750992', '9999']);
    expect(await page.getByRole('button', { name: 'Go to row' }).count()).toBe(0);
    await page.getByRole('radio', { name: 'Chart' }).click();
    await page.getByText('only the first 10,000 of 50,000 rows were kept in memory').first().waitFor();
  });

  it('are copied, up to a limit', async () => {
    await loadLarge();
    await resultGrid(page).focus();
    await page.keyboard.press('Control+End');
    await shownRow(page, 49_999).getByText('49999', { exact: true }).waitFor();
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('Control+c');
    await page.getByText('2 cells copied').waitFor();
    expect(await clipboardText(page)).toBe('i\n49998\n49999\n');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await page.getByText('Not all of these rows are loaded, and a copy of such rows has at most 10,000.').waitFor();
  });

  it('say why they cannot be read, and are read when that has passed', async () => {
    await loadLarge();
    const REJECTED = { status: 400, body: '{}', headers: { 'access-control-allow-origin': '*' } };
    await page.route('**/rows?*', (route) => route.fulfill(REJECTED), { times: 1 });
    await resultGrid(page).focus();
    await page.keyboard.press('Control+End');
    await page.getByText(/returned status 400 without an error of Sluice/).waitFor();
    await page.keyboard.press('PageUp');
    await page.keyboard.press('PageUp');
    await until(async () => ((await page.locator('.grid-pending').count()) === 0 ? true : undefined), {
      what: 'the rows',
    });
  });
});

describe('a run whose result is kept', () => {
  /** Takes some seconds, and returns one row. */
  const SLOW = 'SELECT count(*) AS n FROM range(20000) a, range(20000) b WHERE (a.range * b.range) % 7 = 8';

  /** Longest time that it takes beside the other tests of a busy machine, in milliseconds. */
  const SLOW_MS = 200_000;

  it('continues when its page is loaded again', async () => {
    await runStatement(page, SLOW);
    await runStatus(page).getByText('Running').waitFor();
    let release = (): void => undefined;
    const isInspected = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/events?*', async (route) => {
      await isInspected;
      await route.continue();
    });
    await page.reload();
    await page.getByText(/^The page was left while this statement ran, .+ It continues,/).waitFor();
    await takeScreenshot(page, 'kept-result-continues');
    expect(await findAxeViolations(page)).toEqual([]);
    release();
    await runStatus(page)
      .getByText(/^Result of .+, kept until /)
      .waitFor({ timeout: SLOW_MS });
    expect(await renderedRows(page)).toEqual([['0']]);
    expect(await runs()).toBe(1);
  });

  it('is stopped after its page was loaded again', async () => {
    await runStatement(page, ENDLESS);
    await runStatus(page).getByText('Running').waitFor();
    await page.reload();
    await page.getByText(/It continues,/).waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/It began at .* and ended at .*: Cancelled/).waitFor();
  });

  it('continues after its connection was cut', async () => {
    await chooseRows(page, 'All');
    const { stream } = fixture.console;
    stream.damage('/query', { kind: 'cut', afterBytes: 500_000 });
    await runStatement(page, LARGE);
    const isResumed = () => stream.seen.some(({ path }) => /^\/query\/[^/]+\/events/.test(path)) || undefined;
    await until(async () => isResumed(), { what: 'the next connection' });
    stream.reset();
    await untilState(page, 'Complete');
    await expect(runStatus(page).textContent()).resolves.toContain('50,000 rows');
    await resultGrid(page).focus();
    await page.keyboard.press('Control+End');
    await shownRow(page, 49_999).getByText('9007199254790992', { exact: true }).waitFor();
    expect(await runs()).toBe(1);
  });

  it('says why it is not kept, and shows its rows', async () => {
    const { hosts } = fixture.console;
    const admin = await hosts.build.user(hosts.acme, { roles: ['admin'] });
    const api = await createAdminApi(fixture.console, admin);
    const answer = await api.call('PUT', '/admin/limits', { kept_bytes_max: 1 });
    expect(answer.status).toBe(200);
    try {
      await until(
        async () => {
          await runStatement(page, 'SELECT 1 AS one');
          await untilState(page, 'Complete');
          return (await runStatus(page).textContent())?.includes('Not kept: ') || undefined;
        },
        { what: 'the limit' },
      );
      await runStatus(page)
        .getByText(/^Not kept: The kept results of the tenant (would exceed|have reached) their limit of bytes\.$/)
        .waitFor();
      await takeScreenshot(page, 'kept-result-not-kept');
      expect(await findAxeViolations(page)).toEqual([]);
      await page.reload();
      await statementEditor(page).waitFor();
      expect(await runStatus(page).count()).toBe(0);
    } finally {
      await api.call('PUT', '/admin/limits', {});
    }
  });

  it('does not keep it where the tenant has turned that off', async () => {
    const { hosts } = fixture.console;
    const admin = await hosts.build.user(hosts.acme, { roles: ['admin'] });
    const api = await createAdminApi(fixture.console, admin);
    await api.call('PUT', '/admin/limits', { console_keep_ms: 0 });
    try {
      await until(
        async () => {
          const { body } = await api.call('GET', '/me');
          return body.limits.console_keep === null ? true : undefined;
        },
        { what: 'the limit' },
      );
      await page.reload();
      await statementEditor(page).waitFor();
      await runStatement(page, 'SELECT 1 AS one');
      await untilState(page, 'Complete');
      expect(await runStatus(page).textContent()).not.toMatch(/kept/i);
      const kept = await hosts.rows('select 1 from kept_results k where k.account_id = $1', [user.id]);
      expect(kept).toEqual([]);
    } finally {
      await api.call('PUT', '/admin/limits', {});
    }
  });
});
