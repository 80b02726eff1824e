import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { countTo, FAILS_AT_ONCE, FAILS_LATE, wideRows } from '@sluice/testkit/statements';
import type { Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { visit } from './console-browser.ts';
import type { ConsoleHosts } from './console-hosts.ts';
import { type DownloadsFixture, startDownloadsFixture } from './downloads-fixture.ts';
import {
  compareToFile,
  downloadRows,
  newestDownload,
  openDownloadMenu,
  openStatement,
  runToFile,
  saveToFile,
  startDownload,
  untilDownload,
} from './downloads-page.ts';
import { runStatement, statementEditor, untilState } from './query-page.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

let fixture: DownloadsFixture;
let console: ConsoleHosts;
let page: Page;
beforeAll(async () => {
  fixture = await startDownloadsFixture({});
  ({ console, page } = fixture);
  // The browser asks once whether the page may create tickets, and must not get a fault as the reply to that.
  await saveToFile(page, countTo(1));
  await untilDownload(page, 'Sent');
}, 180_000);
afterAll(async () => {
  await fixture?.[Symbol.asyncDispose]();
});
afterEach(() => fixture.reset());

const CORS = () => ({
  'access-control-allow-origin': new URL(console.url).origin,
  'content-type': 'application/json',
});
/** Response of a host in place of the real one. */
const rejected = (status: number, code: string, message: string) => ({
  status,
  headers: CORS(),
  body: JSON.stringify({ error: code, message, request_id: 'the-request' }),
});

describe('a download that fails', () => {
  it.each([
    [429, 'too_many_requests', 'You have 100 unused tickets.'],
    [503, 'service_unavailable', 'The database cannot be reached.'],
    [403, 'access_denied', 'You lack query:run.'],
    [401, 'unauthorized', 'The token is not valid.'],
  ])('says why the host gave no ticket (%i), and can be repeated', async (status, code, message) => {
    const response = rejected(status, code, message);
    console.stream.reply('/tickets', response, response, response);
    await runToFile(page, countTo(3));
    await untilDownload(page, 'Failed');
    const problem = newestDownload(page).getByRole('alert');
    expect(await problem.textContent()).toMatch(new RegExp(`${code}.*${message}.*the-request`));
    console.stream.reset();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      problem.getByRole('button', { name: 'Try again' }).click(),
    ]);
    expect(await download.failure()).toBeNull();
    await untilDownload(page, 'Sent');
  });

  it('says that the role which allowed it was removed, and records the denial', async () => {
    const { hosts } = console;
    const user = await hosts.build.user(hosts.acme, { email: 'leaver@acme.example', roles: ['analyst'] });
    await using other = await visit(fixture.browser);
    await openSignedIn(other.page, console.url, user);
    await hosts.build.user(hosts.acme, { ...user, roles: ['auditor'] });
    await runToFile(other.page, countTo(3));
    await untilDownload(other.page, 'Failed');
    expect(await newestDownload(other.page).textContent()).toMatch(/access_denied.*query:run.*Request ID/s);
    const denied = await hosts.rows(`select 1 from audit_log where action = 'ACCESS_DENIED' and user_name = $1`, [
      user.email,
    ]);
    expect(denied).toHaveLength(1);
  });

  it('says that the network is gone', async () => {
    await fixture.guest.context.setOffline(true);
    await runToFile(page, countTo(3));
    await untilDownload(page, 'Failed');
    await fixture.guest.context.setOffline(false);
    expect(await newestDownload(page).textContent()).toContain('Check your network.');
  });

  it('leaves the page as it is when the statement fails immediately', async () => {
    await runToFile(page, FAILS_AT_ONCE);
    await untilDownload(page, 'Failed');
    expect(await newestDownload(page).textContent()).toContain('at once');
    expect(await statementEditor(page).textContent()).toBe(FAILS_AT_ONCE);
    expect(page.url()).toBe(console.url);
    expect(await fixture.newestReceipts(1)).toMatchObject([{ state: 'FAILED' }]);
  });

  it('says that a file is not whole whose statement failed after rows', async () => {
    const download = await saveToFile(page, FAILS_LATE);
    expect(await download.failure()).not.toBeNull();
    await untilDownload(page, 'Failed');
    expect(await newestDownload(page).textContent()).toMatch(/boom at.*is incomplete: delete it/s);
    expect(await fixture.newestReceipts(1)).toMatchObject([{ state: 'FAILED' }]);
  });

  it.each(['cut', 'reset'] as const)('says that a transfer was cut (%s)', async (kind) => {
    console.stream.damage('/tickets/', { kind, afterBytes: 1_000_000 });
    const download = await saveToFile(page, wideRows(1000, 50_000));
    expect(await download.failure()).not.toBeNull();
    await untilDownload(page, 'Incomplete');
    expect(await fixture.newestReceipts(1)).toMatchObject([{ state: 'CANCELLED' }]);
  });

  it('is never saved by a page that compares when bytes are missing', async () => {
    console.stream.damage('/tickets/', { kind: 'end', afterBytes: 100 });
    const saved: string[] = [];
    page.on('download', (download) => saved.push(download.suggestedFilename()));
    await compareToFile(page, countTo(50_000));
    await newestDownload(page)
      .getByText(/^(?:Incomplete|Failed)$/)
      .waitFor();
    expect(saved).toEqual([]);
  });

  it('is too large to be compared by the page, which says what to do', async () => {
    await compareToFile(page, wideRows(1000, 80_000));
    await untilDownload(page, 'Failed');
    expect(await newestDownload(page).textContent()).toContain('Download it without comparing.');
  });

  it('says that it did not start when the ticket has expired', async () => {
    console.stream.reply('/tickets/', rejected(404, 'not_found', 'This ticket has expired.'));
    await runToFile(page, countTo(3));
    await untilDownload(page, 'Failed');
    expect(await newestDownload(page).textContent()).toContain('The host did not start the download.');
    expect(page.url()).toBe(console.url);
  });

  it('says that the host cannot be asked for progress, and shows the receipt later', async () => {
    const response = rejected(503, 'service_unavailable', 'Later.');
    await openStatement(page, countTo(1000));
    // A new tab asks for recent queries, and must not get the replies that are meant for receipts.
    await page.waitForLoadState('networkidle');
    console.stream.reply('/query/', response, response, response);
    const download = await downloadRows(page, 'CSV');
    await newestDownload(page).getByText('does not report progress').waitFor();
    expect(await download.failure()).toBeNull();
    await untilDownload(page, 'Sent');
  });
});

describe('the look of downloads', () => {
  it.each([
    { name: 'light', options: {} },
    { name: 'dark', options: { theme: 'dark' } },
    { name: 'light-phone', options: { isPhone: true } },
    { name: 'dark-phone', options: { theme: 'dark', isPhone: true } },
  ] as const)('is accessible in every state ($name)', async ({ name, options }) => {
    await using other = await visit(fixture.browser, options);
    const tab = other.page;
    const inspect = async (state: string) => {
      await takeScreenshot(tab, `downloads-${state}-${name}`);
      expect([state, await findAxeViolations(tab)]).toEqual([state, []]);
    };
    await openSignedIn(tab, console.url, console.hosts.ann);
    await runStatement(tab, 'SELECT n, 2 * n AS twice FROM numbers');
    await untilState(tab, 'Limited');
    await openDownloadMenu(tab);
    await inspect('menu');
    await tab.getByRole('menuitem', { name: 'More options' }).click();
    await inspect('dialog');
    await tab.keyboard.press('Escape');
    console.stream.damage('/tickets/', { kind: 'slow', afterBytes: 100_000, bytesPerSecond: 1_000_000 });
    await downloadRows(tab, 'CSV');
    await newestDownload(tab)
      .getByText(/ rows$/)
      .waitFor();
    await inspect('running');
    await untilDownload(tab, 'Sent');
    console.stream.reset();
    await inspect('sent');
    // On a phone the list lies over the menu.
    const close = tab.getByRole('button', { name: 'Close the downloads' });
    await close.click();
    console.stream.damage('/tickets/', { kind: 'cut', afterBytes: 1000 });
    await downloadRows(tab, 'JSON');
    await untilDownload(tab, 'Incomplete');
    await close.click();
    console.stream.reply('/tickets', rejected(403, 'access_denied', 'You lack the permission query:run.'));
    await startDownload(tab, 'Excel (XLSX)');
    await untilDownload(tab, 'Failed');
    await inspect('failed');
    expect(other.faults).toEqual([]);
  });
});
