import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { countTo } from '@sluice/testkit/statements';
import type { Locator, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { visit } from './console-browser.ts';
import type { ConsoleHosts } from './console-hosts.ts';
import { type DownloadsFixture, startDownloadsFixture } from './downloads-fixture.ts';
import { downloadRows, newestDownload, saveToFile, untilDownload } from './downloads-page.ts';
import { dropFiles } from './drop-files.ts';
import { runStatement, untilState } from './query-page.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

const run = promisify(execFile);
const CLI = new URL('../../../../packages/cli/dist/sluice.js', import.meta.url).pathname;

let fixture: DownloadsFixture;
let console: ConsoleHosts;
let page: Page;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-check-'));
  fixture = await startDownloadsFixture({});
  ({ console, page } = fixture);
}, 180_000);
afterAll(async () => {
  await fixture?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  await page.keyboard.press('Escape');
  await fixture.reset();
});

const dialog = (at = page): Locator => at.getByRole('dialog', { name: 'Check a file' });
const result = (at = page): Locator => dialog(at).getByRole('region', { name: 'Result of the check' });
/** Chooses a file in the dialog of the system, which `press` opens. */
async function choose(
  path: string,
  at = page,
  press = () =>
    at
      .getByRole('dialog')
      .getByRole('button', { name: /^(Choose a file|Datei wählen)$/ })
      .click(),
): Promise<void> {
  const [chooser] = await Promise.all([at.waitForEvent('filechooser'), press()]);
  await chooser.setFiles(path);
}

/** A part of the page that takes no files itself. */
const emptyPlace = (at: Page): Locator => at.getByRole('navigation', { name: 'Main', exact: true });

/** Runs a statement to a file of the folder. Returns its path, under another name than the host has given it. */
async function downloadedFile(sql: string, name: string): Promise<string> {
  const download = await saveToFile(page, sql);
  await untilDownload(page, 'Sent');
  const path = join(folder, name);
  await download.saveAs(path);
  return path;
}

async function fileOf(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe('a file', () => {
  it('is compared with the receipt of its download: whole, of another length, and with another content', async () => {
    const path = await downloadedFile(countTo(1000), 'checked.csv');
    await newestDownload(page).getByRole('button', { name: 'Check a file' }).click();
    // The dialog of the system is opened by the keyboard too.
    const button = dialog().getByRole('button', { name: 'Choose a file' });
    await choose(path, page, () => button.press('Enter'));
    await result()
      .getByText(/^This file is whole: its 3,892 bytes have the SHA-256 of the receipt of .+\.$/)
      .waitFor();
    const [receipt] = await fixture.newestReceipts(1);
    for (const fact of ['checked.csv', receipt?.sha256, receipt?.query_id])
      expect(await result().textContent()).toContain(fact);
    await appendFile(path, 'more');
    await choose(path);
    await result()
      .getByText(/^This file differs from the download of .+: 3,892 bytes were expected, and it has 3,896\.$/)
      .waitFor();
    await truncate(path, 3892);
    await writeFile(path, 'x', { flag: 'r+' });
    // The page never compares a hash of what the file was before.
    await dialog().getByRole('button', { name: 'Check again' }).click();
    await dialog().getByRole('alert').getByText('The browser cannot read this file.').waitFor();
    await choose(path);
    await result()
      .getByText(/it has 3,892 bytes, as expected, but another SHA-256\.$/)
      .waitFor();
  });

  it('is compared by the command line too, with the receipt that the page saves', async () => {
    const download = await saveToFile(page, countTo(10));
    await untilDownload(page, 'Sent');
    const path = join(folder, download.suggestedFilename());
    await download.saveAs(path);
    const [receipt] = await Promise.all([
      page.waitForEvent('download'),
      newestDownload(page).getByRole('button', { name: 'Save the receipt' }).click(),
    ]);
    expect(receipt.suggestedFilename()).toBe(`${download.suggestedFilename()}.receipt.json`);
    await receipt.saveAs(`${path}.receipt.json`);
    const verify = () => run(process.execPath, [CLI, 'verify', path, '--offline']);
    await expect(verify()).resolves.toBeTruthy();
    await appendFile(path, 'more');
    await expect(verify()).rejects.toMatchObject({ code: 3 });
  });

  it('that is dropped on a page is found among earlier downloads, under any name', async () => {
    const path = await downloadedFile(countTo(2000), 'renamed (1).csv');
    await using other = await visit(fixture.browser);
    await openSignedIn(other.page, console.url, console.hosts.ann);
    await dropFiles(other.page, [path], emptyPlace(other.page));
    await result(other.page)
      .getByText(/^This file is whole: its 8,892 bytes have the SHA-256 of the receipt of /)
      .waitFor();
    await dropFiles(
      other.page,
      [await fileOf('other.csv', 'n\n1\n')],
      dialog(other.page).getByText('Drop a file here'),
    );
    await result(other.page)
      .getByText(
        /^No receipt is known for this file: none of your last \d+ downloads has its SHA-256, and a file that a tab saved/,
      )
      .waitFor();
    expect(other.faults).toEqual([]);
  });

  it('is compared with the receipt of a query ID', async () => {
    const path = await fileOf('unrelated.csv', 'n\n');
    await downloadedFile(countTo(1000), 'whole.csv');
    const [receipt] = await fixture.newestReceipts(1);
    await page.getByRole('button', { name: 'Check a file' }).first().click();
    const id = dialog().getByRole('textbox', { name: 'Query ID of the download' });
    await id.fill('whole.csv');
    await dialog().getByText('This is not a query ID.').waitFor();
    await id.fill(JSON.stringify(receipt));
    await choose(path);
    await result()
      .getByText(/: 3,892 bytes were expected, and it has 2\.$/)
      .waitFor();
    await id.fill('6fa459ea-ee8a-3ca4-894e-db77e160355e');
    await id.press('Enter');
    await result().getByText('No receipt is known for the query ID 6fa459ea-ee8a-3ca4-894e-db77e160355e.').waitFor();
    await id.fill('');
    await choose(join(folder, 'whole.csv'));
    await result()
      .getByText(/^This file is whole/)
      .waitFor();
  });

  it('that the page has saved from its rows is whole in this tab, and has no receipt elsewhere', async () => {
    await runStatement(page, countTo(500));
    await untilState(page, 'Complete');
    const download = await downloadRows(page, 'JSON');
    await untilDownload(page, 'Saved');
    const path = join(folder, 'saved.json');
    await download.saveAs(path);
    await newestDownload(page).getByRole('button', { name: 'Check a file' }).click();
    await choose(path);
    await result()
      .getByText(/^This file is whole: its [\d,]+ bytes are those that this page saved on .+ from the rows of a tab\.$/)
      .waitFor();
    await using other = await visit(fixture.browser);
    const user = await console.hosts.build.user(console.hosts.acme);
    await openSignedIn(other.page, console.url, user);
    await dropFiles(other.page, [path], emptyPlace(other.page));
    await result(other.page)
      .getByText(
        'No receipt is known for this file: none of your downloads has a receipt yet, and a file that a tab saved',
      )
      .waitFor();
    const queryId = await result().locator('code').last().textContent();
    await using beside = await visit(fixture.browser);
    await openSignedIn(beside.page, console.url, console.hosts.ann);
    await dropFiles(beside.page, [path], emptyPlace(beside.page));
    await result(beside.page).getByText('can be checked in that tab only').waitFor();
    const id = dialog(beside.page).getByRole('textbox', { name: 'Query ID of the download' });
    await id.fill(queryId ?? '');
    await id.press('Enter');
    await result(beside.page).getByText(' showed its rows in a tab and has no receipt of a file').waitFor();
  });

  it('of 20 GB is hashed while the page stays free, and can be stopped', async () => {
    const path = await fileOf('large.csv', '');
    await truncate(path, 20_000_000_000);
    await dropFiles(page, [path], emptyPlace(page));
    await dialog()
      .getByRole('progressbar')
      .getByText(/ of 20 GB$/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Stop' }).click();
    await dialog().getByRole('progressbar').waitFor({ state: 'detached' });
    expect(await result().count()).toBe(0);
  });

  it('says why it was not checked: several files, a folder, and a host that cannot be asked', async () => {
    const path = await fileOf('one.csv', 'n\n');
    await mkdir(join(folder, 'a folder'));
    for (const paths of [[path, await fileOf('two.csv', 'n\n')], [join(folder, 'a folder')]]) {
      await dropFiles(page, paths, emptyPlace(page));
      await page.getByText('Drop one file: not several, and not a folder.').first().waitFor();
      expect(await dialog().count()).toBe(0);
    }
    const failed = {
      status: 503,
      headers: { 'access-control-allow-origin': new URL(console.url).origin, 'content-type': 'application/json' },
      body: JSON.stringify({ error: 'service_unavailable', message: 'The database cannot be reached.' }),
    };
    console.stream.reply('/query/history', failed, failed, failed, failed);
    await dropFiles(page, [path], emptyPlace(page));
    await dialog().getByRole('alert').getByText('The database cannot be reached.').waitFor();
    console.stream.reset();
    await dialog().getByRole('button', { name: 'Check again' }).click();
    await result().getByText('No receipt is known for this file').waitFor();
  });
});

describe('the check of a file', () => {
  it.each([
    { name: 'light', options: {} },
    { name: 'dark-phone-german', options: { theme: 'dark', isPhone: true, language: 'de' } },
  ] as const)('is accessible ($name)', async ({ name, options }) => {
    const path = await downloadedFile(countTo(3), `${name}.csv`);
    await using other = await visit(fixture.browser, options);
    const tab = other.page;
    await openSignedIn(tab, console.url, console.hosts.ann);
    await tab.getByRole('button', { name: 'Downloads', exact: true }).click();
    await takeScreenshot(tab, `file-check-panel-${name}`);
    await tab.getByRole('button', { name: /^(Check a file|Datei prüfen)$/ }).click();
    const opened = tab.getByRole('dialog');
    await choose(path, tab);
    await opened.getByText(/^(This file is whole|Diese Datei ist vollständig)/).waitFor();
    await takeScreenshot(tab, `file-check-whole-${name}`);
    expect(await findAxeViolations(tab)).toEqual([]);
    await appendFile(path, 'more');
    await choose(path, tab);
    await opened.getByText(/^(No receipt is known|Zu dieser Datei ist keine)/).waitFor();
    await takeScreenshot(tab, `file-check-none-${name}`);
    expect(await findAxeViolations(tab)).toEqual([]);
    // The focus is where it was.
    await tab.keyboard.press('Escape');
    await opened.waitFor({ state: 'detached' });
    await tab.waitForFunction(() => /^(Check a file|Datei prüfen)$/.test(document.activeElement?.textContent ?? ''));
    expect(other.faults).toEqual([]);
  });
});
