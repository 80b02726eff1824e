import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@sluice/testkit';
import { basicOf, post } from '@sluice/testkit/requests';
import { countTo, ENDLESS, LONG, wideRows } from '@sluice/testkit/statements';
import type { Page } from 'playwright-core';
import type { Visit } from './console-browser.ts';
import type { ConsoleHosts } from './console-hosts.ts';
import { type DownloadsFixture, startDownloadsFixture } from './downloads-fixture.ts';
import {
  chooseInDialog,
  compareToFile,
  downloadPanel,
  downloadRows,
  newestDownload,
  openDownloadMenu,
  runToFile,
  saveToFile,
  sha256OfFile,
  untilDownload,
} from './downloads-page.ts';
import { chooseRows, clipboardText, runStatement, untilState, writeStatement } from './query-page.ts';
import { untilPageShown } from './sign-in.ts';

let fixture: DownloadsFixture;
let console: ConsoleHosts;
let guest: Visit;
let page: Page;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-downloads-'));
  fixture = await startDownloadsFixture({ QUERIES_PER_USER: '2' });
  ({ console, guest, page } = fixture);
}, 180_000);
afterAll(async () => {
  await fixture?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => fixture.reset());

async function show(sql: string): Promise<void> {
  await runStatement(page, sql);
  await untilState(page, 'Complete');
}

/** Returns how many downloads the audit log has. */
const countDownloads = async (): Promise<number> =>
  (await console.hosts.rows(`select 1 from audit_log where action in ('CREATE_TICKET', 'DOWNLOAD_QUERY')`)).length;

describe('a download', () => {
  it.each([
    ['CSV', 'csv'],
    ['Excel (XLSX)', 'xlsx'],
    ['JSON', 'json'],
    ['NDJSON', 'ndjson'],
    ['Parquet', 'parquet'],
  ])('is saved by the browser with the bytes of its receipt, and recorded (%s)', async (title, format) => {
    const download = await saveToFile(page, countTo(1000), title);
    expect(await download.failure()).toBeNull();
    // The name of the tab, with the time of this machine, which the browser keeps as it is.
    expect(download.suggestedFilename()).toMatch(
      new RegExp(`^SELECT .+ \\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d\\.${format}$`),
    );
    await untilDownload(page, 'Sent');
    const [receipt] = await fixture.newestReceipts(1);
    expect(receipt).toMatchObject({ state: 'FINISHED', rows: 1000, limited: false });
    expect(await sha256OfFile(await download.path())).toBe(receipt?.sha256);
    const card = await newestDownload(page).textContent();
    for (const fact of [download.suggestedFilename(), '1,000 rows', `${receipt?.bytes.toLocaleString('en')} bytes`])
      expect(card).toContain(fact);
    await newestDownload(page).getByRole('button', { name: 'Copy the SHA-256' }).click();
    expect(await clipboardText(page)).toBe(receipt?.sha256);
    expect(card?.toLowerCase()).not.toContain('verified');
    const records = await console.hosts.rows<{ metadata: object }>(
      `select metadata from audit_log where action = 'DOWNLOAD_QUERY' and query_id = $1`,
      [receipt?.query_id],
    );
    expect(records.map(({ metadata }) => metadata)).toContainEqual(expect.objectContaining({ format }));
    expect(guest.faults).toEqual([]);
  });

  it('has the options of its format', async () => {
    await show(`SELECT '=1+1' AS formula, 9007199254740993 AS large`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      chooseInDialog(page, async (dialog) => {
        await dialog.getByText('Safe to open in a spreadsheet').click();
        await dialog.getByText('Large numbers as strings').click();
      }),
    ]);
    await untilDownload(page, 'Sent');
    await download.saveAs(join(folder, 'options.csv'));
    await expect(readFile(join(folder, 'options.csv'), 'utf8')).resolves.toMatch(
      /^\ufeffformula,large\n'=1\+1,"?9007199254740993"?\n$/,
    );
    await openDownloadMenu(page);
    await page.getByText('1,048,575 rows per sheet').waitFor();
    await page.keyboard.press('Escape');
  });

  it('has all rows of a statement whose rows were limited on the page, and says so before', async () => {
    await chooseRows(page, 'First 100');
    await runStatement(page, countTo(1000));
    await untilState(page, 'Limited');
    await openDownloadMenu(page);
    await page.getByText('has all its rows, not only the first 100').waitFor();
    await page.keyboard.press('Escape');
    await downloadRows(page, 'CSV');
    await untilDownload(page, 'Sent');
    expect(await newestDownload(page).textContent()).toContain('1,000 rows');
    await chooseRows(page, 'All');
  });

  it('is compared by the page before it is saved, if the user wants that', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), compareToFile(page, countTo(5000))]);
    await untilDownload(page, 'Sent');
    const [receipt] = await fixture.newestReceipts(1);
    expect(await sha256OfFile(await download.path())).toBe(receipt?.sha256);
    expect(await newestDownload(page).textContent()).toContain('They are equal.');
  });
});

describe('a complete result', () => {
  /** Values of every kind, with what a CSV or JSON must quote. */
  const VALUES = `SELECT range AS n, 9007199254740993 + range AS big, 250.00::DECIMAL(38, 2) AS price, 1e300::DOUBLE AS double,
    'nan'::DOUBLE AS nothing, '-0'::DOUBLE AS zero, 0.1::FLOAT AS real, NULL AS "null", '' AS empty, ' a ' AS spaces,
    'a, "b"' || chr(10) || chr(13) || chr(1) || chr(127) AS "odd, ""name""", 'größe 😀' || chr(8238) AS "ä", range % 2 = 0 AS bool,
    TIMESTAMPTZ '2026-10-25 00:30:00+00' + INTERVAL (range) SECOND AS instant, DATE '0044-03-15' AS day, TIME '12:30:00.5' AS time,
    INTERVAL '1 year 2 days 3.5 seconds' AS length, '\\x00\\xFF'::BLOB AS bytes, [1, NULL] AS list, [] AS none, ['a', 'b"'] AS words,
    {'b': 1.50, 'a': 'x,"y'} AS struct, MAP {DATE '2026-01-01': 1} AS map, '{"a": 1.50}'::JSON AS json, uuid() IS NULL AS id,
    1 AS "__proto__", 2 AS n, '=1+1' AS formula FROM range(700)`;

  it.each([
    ['CSV', 'csv'],
    ['JSON', 'json'],
    ['NDJSON', 'ndjson'],
  ])('is saved as it is, with the bytes of a download and without a second run (%s)', async (title, format) => {
    await show(VALUES);
    const before = await countDownloads();
    await openDownloadMenu(page);
    await page.getByText('All 700 rows of the result are in this tab.').waitFor();
    expect(await page.getByRole('menuitem').filter({ hasText: 'Saved as it is, without a second run' }).count()).toBe(
      3,
    );
    await page.keyboard.press('Escape');
    const saved = await downloadRows(page, title);
    await untilDownload(page, 'Saved');
    expect(await countDownloads()).toBe(before);
    const host = await post(
      `${console.hosts.url}/query/download/${format}`,
      { sql: VALUES },
      basicOf(console.hosts.ann),
    );
    const content = await readFile(await saved.path());
    expect(content.toString()).toBe(host.text);
    const card = (await newestDownload(page).textContent()) ?? '';
    for (const fact of [
      saved.suggestedFilename(),
      '700 rows',
      'without a second run',
      'Your browser may have changed the name of the file.',
      await sha256OfFile(await saved.path()),
    ])
      expect(card).toContain(fact);
    expect(guest.faults).toEqual([]);
  });

  it('is run again while a search hides rows, and says so before', async () => {
    await show(countTo(20));
    const search = page.getByRole('searchbox', { name: 'Search the loaded rows' });
    await search.fill('1');
    await page.getByText('of the 20 loaded rows').waitFor();
    await openDownloadMenu(page);
    await page.getByText('The file has all its rows, not only those that match.').waitFor();
    await page.keyboard.press('Escape');
    const download = await downloadRows(page, 'CSV');
    await untilDownload(page, 'Sent');
    expect((await readFile(await download.path(), 'utf8')).split('\n')).toHaveLength(22);
    await search.press('Escape');
  });

  it('is run again for a file with options, and says so in the dialog', async () => {
    await show(countTo(20));
    await openDownloadMenu(page);
    await page.getByRole('menuitem', { name: 'More options' }).click();
    const dialog = page.getByRole('dialog', { name: 'Download' });
    await dialog.getByText('are saved as they are, without a second run').waitFor();
    await dialog.getByText('Mark the file as UTF-8').click();
    await dialog.getByText('Runs the statement again.').waitFor();
    await page.keyboard.press('Escape');
  });

  it('has an item of its menu for the statement that the editor has by then', async () => {
    await show(countTo(20));
    await writeStatement(page, countTo(3));
    await openDownloadMenu(page);
    await page.getByRole('menuitem', { name: 'Statement under the cursor' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog', { name: 'Download' }).getByRole('button', { name: 'Download', exact: true }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toBe('n\n0\n1\n2\n');
  });
});

describe('a download that runs', () => {
  it('is cancelled on the engine, and says so when it has stopped', async () => {
    const download = await saveToFile(page, LONG);
    await newestDownload(page)
      .getByText(/ rows$/)
      .waitFor();
    await newestDownload(page).getByRole('button', { name: /^Stop/ }).click();
    await untilDownload(page, 'Cancelled');
    expect(await fixture.newestReceipts(1)).toMatchObject([{ state: 'CANCELLED', sha256: null }]);
    expect(await download.failure()).not.toBeNull();
  });

  it('is cancelled before its first row, also while another one waits for a slot', async () => {
    for (let started = 0; started < 3; started += 1) await runToFile(page, ENDLESS);
    await untilDownload(page, 'Waiting for a slot');
    const stops = downloadPanel(page).getByRole('button', { name: /^Stop/, disabled: false });
    while ((await stops.count()) > 0) await stops.last().click();
    const cancelled = downloadPanel(page).getByText('Cancelled', { exact: true });
    await until(async () => (await cancelled.count()) === 3 || undefined, { what: 'three cancels', withinMs: 15_000 });
    const receipts = await fixture.newestReceipts(3);
    expect(receipts.map(({ state }) => state)).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
  });

  it('stays in the list on other pages and after a reload', async () => {
    await saveToFile(page, `${countTo(10)} -- of the statement, this must not be stored with it`);
    await untilDownload(page, 'Sent');
    await show(countTo(10));
    await downloadRows(page, 'CSV');
    await untilDownload(page, 'Saved');
    const cards = downloadPanel(page).getByRole('listitem');
    const before = await cards.allTextContents();
    await page.evaluate(() => {
      history.pushState(null, '', '/console/no-such-page');
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(await cards.allTextContents()).toEqual(before);
    await page.goto(console.url);
    await untilPageShown(page);
    await page.getByRole('button', { name: 'Downloads', exact: true }).click();
    expect(await cards.allTextContents()).toEqual(before);
    const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    expect(kept).not.toMatch(/of the statement|tickets\//);
  });

  it('goes on when its tab is closed', async () => {
    const tab = await guest.openTab();
    await tab.goto(console.url);
    await untilPageShown(tab);
    // More than the buffers of sockets hold, so the host has not sent it while the test reads the note.
    console.stream.damage('/tickets/', { kind: 'pause', afterBytes: 1_000_000, pauseMs: 10_000 });
    await saveToFile(tab, wideRows(1000, 20_000));
    await newestDownload(tab).getByText('The download continues if you close this tab.').waitFor();
    await tab.close();
    expect(await fixture.newestReceipts(1)).toMatchObject([{ state: 'FINISHED', rows: 20_000 }]);
  });
});
