import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@sluice/testkit';
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
import { clipboardText, runStatement, untilState } from './query-page.ts';
import { untilPageShown } from './sign-in.ts';

const run = promisify(execFile);
const CLI = new URL('../../../../packages/cli/dist/sluice.js', import.meta.url).pathname;

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

describe('a download', () => {
  it.each([
    ['CSV', 'csv'],
    ['Excel (XLSX)', 'xlsx'],
    ['JSON', 'json'],
    ['NDJSON', 'ndjson'],
    ['Parquet', 'parquet'],
  ])('is saved by the browser with the bytes of its receipt, and recorded (%s)', async (title, format) => {
    await show(countTo(1000));
    const download = await downloadRows(page, title);
    expect(await download.failure()).toBeNull();
    expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${format}$`));
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

  it('is checked by the commands that the page shows, also under a hostile name', async () => {
    await show(countTo(10));
    const name = `it's $(touch hacked); \`x\` & <b>`;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      chooseInDialog(page, async (dialog) => dialog.getByRole('textbox', { name: 'File name' }).fill(name)),
    ]);
    await untilDownload(page, 'Sent');
    // Chromium replaces some characters of the names that it saves, so the file gets the name that the host has sent.
    const fileName = `${name}.csv`;
    await download.saveAs(join(folder, fileName));
    await newestDownload(page).getByRole('button', { name: 'Copy the command sha256sum' }).click();
    const sums = await clipboardText(page);
    expect((await run('sh', ['-c', sums], { cwd: folder })).stdout).toContain(': OK');
    const [receipt] = await Promise.all([
      page.waitForEvent('download'),
      newestDownload(page).getByRole('button', { name: 'Save the receipt' }).click(),
    ]);
    await receipt.saveAs(join(folder, `${fileName}.receipt.json`));
    await newestDownload(page).getByRole('button', { name: 'Copy the command sluice' }).click();
    const verify = (await clipboardText(page)).replace(/^sluice/, `node '${CLI}'`);
    await expect(run('sh', ['-c', `${verify} --offline`], { cwd: folder })).resolves.toBeTruthy();
    await appendFile(join(folder, fileName), 'more');
    await expect(run('sh', ['-c', sums], { cwd: folder })).rejects.toMatchObject({ code: 1 });
    await expect(run('sh', ['-c', `${verify} --offline`], { cwd: folder })).rejects.toMatchObject({ code: 3 });
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
    await page.getByRole('combobox', { name: 'Rows' }).selectOption({ label: 'First 100' });
    await runStatement(page, countTo(1000));
    await untilState(page, 'Limited');
    await openDownloadMenu(page);
    await page.getByText('has all its rows, not only the first 100').waitFor();
    await page.keyboard.press('Escape');
    await downloadRows(page, 'CSV');
    await untilDownload(page, 'Sent');
    expect(await newestDownload(page).textContent()).toContain('1,000 rows');
    await page.getByRole('combobox', { name: 'Rows' }).selectOption({ label: 'All' });
  });

  it('is compared by the page before it is saved, if the user wants that', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), compareToFile(page, countTo(5000))]);
    await untilDownload(page, 'Sent');
    const [receipt] = await fixture.newestReceipts(1);
    expect(await sha256OfFile(await download.path())).toBe(receipt?.sha256);
    expect(await newestDownload(page).textContent()).toContain('They are equal.');
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
    await show(countTo(10));
    await downloadRows(page, 'CSV');
    await untilDownload(page, 'Sent');
    const before = await newestDownload(page).textContent();
    await page.evaluate(() => {
      history.pushState(null, '', '/console/no-such-page');
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(await newestDownload(page).textContent()).toBe(before);
    await page.goto(console.url);
    await untilPageShown(page);
    await page.getByRole('button', { name: 'Downloads', exact: true }).click();
    expect(await newestDownload(page).textContent()).toBe(before);
    const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    expect(kept).not.toMatch(/SELECT|tickets\//);
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
